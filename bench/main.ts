/** `npm run bench -- NAME …`: lists and runs the benchmarks. The figures are in docs/performance.md. */
const NAMES = [
  'account-timing',
  'api-document',
  'attacks',
  'catalogue',
  'corpus',
  'pages',
  'pairs',
  'search',
  'slow-downloads',
  'statistics',
  'upload-kills',
  'web',
];
const [bench = ''] = process.argv.splice(2, 1);
if (NAMES.includes(bench)) await import(`./${bench}.ts`);
else {
  console.log(`
  npm run bench -- attacks SECTION FOLDER  what one caller can do to the others; sections: pages, connections, write-lock, downloads, searches (default: all)
  npm run bench -- catalogue       listing, filters and search with 100,000 and 1,000,000 generated sounds
      --sounds 100000,1000000 --database sqlite|postgres|both --keep FOLDER --runs N --only TEXT
  npm run bench -- search          what a thousand queries find in the golden catalogue, in two halves
      --each
  npm run bench -- web FOLDER      requests a second on one core, from the page cache and rendered afresh
  npm run bench -- pages URL …     what a slow telephone meets: first press on play, paint, blocking, shift
  npm run bench -- pairs FOLDER    /sounds against the same page written by hand: paint, press, script, requests, memory
      --runs 11 --rounds 5 --seconds 4 --only bytes|loads|requests
  npm run bench -- slow-downloads  memory while 20 slow visitors load a file of 100 MB
  npm run bench -- statistics      a year of plays of 10,000 sounds: size of the tables, time to count and to read
      --sounds N --days N --url postgres://…
  npm run bench -- corpus          a hundred files of FFmpeg and LAME through the host; both have to be installed
      --only TEXT --keep FOLDER
  npm run bench -- upload-kills    a hundred processes killed in the middle of an upload; nothing is lost or half
  npm run bench -- api-document    four validators, and clients generated in TypeScript and Python, judge /api/openapi.json
  npm run bench -- account-timing  how often the time of an answer tells whether an address has an account

  Each is also a program of its own; it then needs node_modules/.bin first in PATH:
      npm exec -- node bench/web.ts demo-data
`);
}

export {};
