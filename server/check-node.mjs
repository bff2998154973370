// Plain JavaScript that any Node understands: the rest needs a Node that runs TypeScript.
const wanted = 24;
const found = Number.parseInt(process.versions.node, 10);
if (found < wanted) {
  console.error(
    `This needs Node ${wanted} or newer, but runs on ${process.versions.node}.\n` +
      'Run it by "npm run …" (which uses the Node in node_modules) after "npm install" without --omit=optional.',
  );
  process.exit(1);
}
const { setFlagsFromString } = await import('node:v8');
// The heap grows by 70 % at most between collections: 100 MiB less while pages render (decision 002).
setFlagsFromString('--heap-growing-percent=70');
// V8 allocates what a page needs as old objects once it has seen such objects survive, and an old object keeps all that
// it refers to until the next full collection (decision 161).
setFlagsFromString('--no-allocation-site-pretenuring');
await import('./stripped-sources.mjs');
