import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

const SRC = resolve(import.meta.dirname, '../../../src');
const SHEETS = join(SRC, 'styles/pages');
const IMPORT = /(?:@import|import(?! type)(?:[^'";]*from)?|(import\())\s*['"](\.[^'"?]+)(?:\?\w+)?['"]/g;

/**
 * A file of src/ and everything it imports, `import()` only with `withLate`. A component of which only a function is
 * used does not count.
 */
export function listImports(file: string, { withLate = false, seen = new Set<string>() } = {}): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [statement, late, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const names = statement.split('from')[0] ?? '';
    if (late !== undefined && !withLate) continue;
    if (/\.tsx['"]$/.test(statement) && /\{/.test(statement) && !/\b[A-Z]/.test(names)) continue;
    listImports(resolve(dirname(file), path), { withLate, seen });
  }
  return seen;
}

/** The files of src/pages/ that are pages or fragments of one. */
export function listPages(): string[] {
  return readdirSync(join(SRC, 'pages'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.astro'))
    .map((name) => join(SRC, 'pages', name));
}

/**
 * Gives each sheet of src/styles/pages/ the Tailwind utilities of the pages that import it, and of all they import. What
 * islands load later is in `late.css`. (Decision 077.)
 */
export function pageUtilities(): Plugin {
  return {
    name: 'page-utilities',
    enforce: 'pre',
    transform(code, id) {
      // With the development server a name has a query.
      const [sheet = ''] = id.split('?');
      if (dirname(sheet) !== SHEETS) return undefined;
      const files = listPages()
        .map((page) => listImports(page))
        .filter((imports) => imports.has(sheet));
      const sources = [...new Set(files.flatMap((imports) => [...imports]))]
        // The player is empty until the first press, which loads `late.css`.
        .filter((file) => /\.(astro|tsx)$|\/src\/scripts\//.test(file) && !file.includes('/islands/player/'))
        .toSorted()
        // To Tailwind, `[id]` would be one of two letters.
        .map((file) => `@source '${relative(SHEETS, file).replaceAll(/\[.*?\]/g, '*')}';\n`);
      return `@import '../utilities.css';\n${sources.join('')}${code}`;
    },
  };
}
