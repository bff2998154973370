import './check-node.mjs';

const { runOperator } = await import('./operator/run.ts');

process.exitCode = await runOperator(process.argv.slice(2), process.env, {
  print: (text) => console.log(text),
  printError: (line) => console.error(line),
});
