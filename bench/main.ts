/** `npm run bench`: what can be measured here and how. docs/performance.md has the figures. */
console.log(`
  node bench/catalogue.ts       listing, filters and search with 100,000 and 1,000,000 generated sounds
      --sounds 100000,1000000 --database sqlite|postgres|both --keep FOLDER --runs N --only TEXT
  node bench/web.ts FOLDER      requests a second on one core, from the page cache and rendered afresh
  node bench/pages.ts URL …     what a slow telephone meets: first press on play, paint, blocking, shift
  node bench/slow-downloads.ts  memory while 20 slow visitors load a file of 100 MB

  Each needs node_modules/.bin first in PATH, as "npx" and "npm exec" have it:
      npm exec -- node bench/web.ts demo-data
`);
