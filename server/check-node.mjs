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
// The heap doubles at most between collections: 225 MiB instead of 330 while pages render, for 7 % more processor time.
setFlagsFromString('--heap-growing-percent=100');
await import('./stripped-sources.mjs');
