import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;

/** Names of Astro that it does not document: its element, what it writes into pages and history entries, files inside it. */
const PRIVATE =
  /astro-island|astro-slot|(?:renderer|component)-url|astro-?exec\b|data-astro-transition|astro-route-announcer|window\.Astro\b|\bAstro: \{|\bastro\/(?:dist|runtime)\b|startViewTransition|history\.state[^\n]*(?:\.index|scroll[XY])/i;

it('what Astro does not document is used in one folder', () => {
  const files = globSync(['src/**/*.*', 'server/**/*.ts', '*.mjs'], { cwd: ROOT });
  const users = files.filter(
    (file) => !file.startsWith('src/astro/') && PRIVATE.test(readFileSync(`${ROOT}/${file}`, 'utf8')),
  );
  expect(users.toSorted()).toEqual([]);
});

it('only one file begins navigations with Astro’s function', () => {
  const importers = globSync('src/**/*.{ts,tsx,astro}', { cwd: ROOT }).filter((file) =>
    /import \{[^}]*\bnavigate\b[^}]*\} from 'astro:transitions\/client'/.test(
      readFileSync(`${ROOT}/${file}`, 'utf8'),
    ),
  );
  expect(importers).toEqual(['src/navigation/navigation.ts']);
});
