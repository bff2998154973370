/**
 * The server's sources without their types, written by `npm run build`. Node would strip the types at each start, with
 * a compiler that stays in memory: 27 MiB and 0.4 s of processor time. A file is named by the hash of its source, so a
 * source that has changed since the build is left to Node.
 *
 * Plain JavaScript, because it loads before any TypeScript. Run as a script, it writes the files.
 */
import { hash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../', import.meta.url);
const FOLDER = new URL('dist/stripped/', ROOT);

const toFile = (source) => new URL(`${hash('sha256', source)}.mjs`, FOLDER);

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  for (const path of globSync('{server,contract,src}/**/*.ts', { cwd: fileURLToPath(ROOT) })) {
    const source = readFileSync(new URL(path, ROOT), 'utf8');
    writeFileSync(toFile(source), stripTypeScriptTypes(source));
  }
} else if (existsSync(FOLDER)) {
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith(ROOT.href) || !url.endsWith('.ts')) return nextLoad(url, context);
      const stripped = toFile(readFileSync(fileURLToPath(url), 'utf8'));
      if (!existsSync(stripped)) return nextLoad(url, context);
      return { format: 'module', source: readFileSync(stripped, 'utf8'), shortCircuit: true };
    },
  });
}
