// Plain JavaScript that any Node understands: it runs after every install, perhaps with an older Node.
// A failure here does not stop the install: check-node.mjs reports what is missing.
// npm 10 removes .bin/node when it skips the Node packages of other platforms, which have the same command.
import { existsSync, lstatSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
if (process.platform === 'win32') {
  const isMissing = existsSync(`${modules}${name}/bin/node.exe`) && !existsSync(`${modules}.bin/node.cmd`);
  if (isMissing) {
    writeFileSync(`${modules}.bin/node.cmd`, `@"%~dp0\\..\\${name}\\bin\\node.exe" %*\r\n`);
  }
} else if (existsSync(`${modules}${name}/bin/node`)) {
  const isLinked = lstatSync(`${modules}.bin/node`, { throwIfNoEntry: false }) !== undefined;
  if (!isLinked) symlinkSync(`../${name}/bin/node`, `${modules}.bin/node`);
}
