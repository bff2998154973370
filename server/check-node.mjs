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
// The heap grows by half at most between collections: 215 MiB instead of 340 while pages render, in the same time.
setFlagsFromString('--heap-growing-percent=50');
await import('./stripped-sources.mjs');
