import { globSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');
const STYLES = join(SRC, 'styles');

const read = (file: string) => readFileSync(file, 'utf8').replaceAll(/\/\* .*?\*\//gs, '');
const list = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** A sheet and those that it imports. */
function listSheets(sheet: string): string[] {
  const imports = list(read(sheet), /@import '(\.[^']*)'/g);
  return [sheet, ...imports.flatMap((path) => listSheets(join(dirname(sheet), path)))];
}

const listStyled = (sheet: string) => list(read(sheet).replaceAll(/@[^;{]*;/g, ''), /\.([a-z][\w-]*)/g);

/** The files of the `@source` rules of a sheet. */
function listSources(sheet: string): string[] {
  const find = (rule: RegExp) =>
    listSheets(sheet).flatMap((each) =>
      list(read(each), rule).flatMap((path) => {
        const place = join(dirname(each), path);
        return globSync([place, `${place}/**/*.{astro,ts,tsx}`]);
      }),
    );
  const excluded = new Set(find(/@source not '([^']*)'/g));
  return find(/@source '([^']*)'/g).filter((file) => /\.\w+$/.test(file) && !excluded.has(file));
}

const known = new Set(globSync(join(STYLES, '*.css')).flatMap(listStyled));

it.each(readdirSync(join(STYLES, 'sheets')))('%s styles every class that its sources name', (name) => {
  const sheet = join(STYLES, 'sheets', name);
  const adopted = ['late.css', 'search.css'].map((each) => join(STYLES, each));
  const sheets = [sheet, ...adopted].flatMap(listSheets);
  const styled = new Set(sheets.flatMap(listStyled));
  const sources = listSources(sheet);
  expect(sources.length).toBeGreaterThan(name === 'text.css' ? 30 : 50);
  const unstyled = sources.flatMap((file) =>
    list(readFileSync(file, 'utf8'), /class(?:Name)?=("[^"]*"|\{(?:[^{}]|\{[^{}]*\})*\})/g)
      .flatMap((value) => value.match(/[a-z][\w-]*/g) ?? [])
      .filter((each) => known.has(each) && !styled.has(each))
      .map((each) => `${file.slice(SRC.length)}: ${each}`),
  );
  expect(unstyled).toEqual([]);
});

it('no stylesheet has more than 300 lines', () => {
  const sheets = readdirSync(join(SRC, 'styles'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  expect(sheets.length).toBeGreaterThan(20);
  for (const name of sheets)
    expect(readFileSync(join(SRC, 'styles', name), 'utf8').split('\n').length, name).toBeLessThanOrEqual(300);
});

it('text, and the widths that layouts depend on, follow the font size of the browser', () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    // Other sites give an embedded player its height.
    (name) => /\.(css|astro|tsx)$/.test(name) && !name.endsWith('embed.css'),
  );
  expect(sources.length).toBeGreaterThan(200);
  const fixed =
    /(font-size|line-height): *[\d.]+px|@media[^{]*\dpx|--breakpoint-\w+: *\d+px|\b(text|leading)-\[[\d.]+px\]|\bleading-\d/;
  for (const name of sources)
    expect(fixed.exec(readFileSync(join(SRC, name), 'utf8'))?.[0], name).toBeUndefined();
});
