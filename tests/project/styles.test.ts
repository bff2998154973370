import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/**
 * A file and everything it imports, also by `import()`. A component of which only a function is used does not count.
 */
function listImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [statement, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:@import|import(?! type)(?:[^'";]*from)?|import\()\s*['"](\.[^'"?]+)(?:\?\w+)?['"]/g,
  )) {
    if (
      /\.tsx['"]$/.test(statement) &&
      /\{/.test(statement) &&
      !/\b[A-Z]/.test(statement.split('from')[0] ?? '')
    )
      continue;
    listImports(resolve(dirname(file), path), seen);
  }
  return seen;
}

/** The classes in the attributes of a component. */
function listNamed(file: string): string[] {
  return [
    ...readFileSync(file, 'utf8').matchAll(/class(?:Name)?=(?:"([^"]*)"|\{(?:[^{}]|\{[^{}]*\})*\})/g),
  ].flatMap(([attribute]) => attribute.match(/[a-z][\w-]*/g) ?? []);
}

function listStyled(sheet: string): string[] {
  const rules = readFileSync(sheet, 'utf8').replaceAll(
    /\/\*.*?\*\/|@(?:import|source|reference)[^;]*;/gs,
    '',
  );
  return [...rules.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = '']) => name);
}

const pages = readdirSync(join(SRC, 'pages'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.astro'))
  .map((name) => {
    const all = listImports(join(SRC, 'pages', name));
    // The layer of the password prompt can load anywhere; only the profile asks for the password.
    const files = [
      ...(all.has(join(SRC, 'islands/profile/ProfileView.tsx'))
        ? all
        : listImports(
            join(SRC, 'pages', name),
            new Set([join(SRC, 'islands/overlays/PasswordPrompts.tsx')]),
          )),
    ];
    const sheets = files.filter((file) => file.endsWith('.css'));
    const named = new Set(files.filter((file) => /\.(astro|tsx)$/.test(file)).flatMap(listNamed));
    return { name, sheets, named };
  });
/** The pages of the console share one sheet. */
const isOfConsole = ({ name }: { readonly name: string }) => name.startsWith('operator/');
const namedByConsole = new Set(pages.filter(isOfConsole).flatMap(({ named }) => [...named]));
const known = new Set(
  readdirSync(join(SRC, 'styles'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .flatMap((name) => listStyled(join(SRC, 'styles', name))),
);

const siteSheets = listImports(join(SRC, 'styles/site.css'));
/** Islands show what these style; their renderer brings them to every page. */
const lateSheets = [...listImports(join(SRC, 'styles/late.css'))];
const isOfSite = (sheet: string) => siteSheets.has(sheet);

/** Fragments come into a page that has the styles. */
const documents = pages.filter(({ name }) => !name.startsWith('fragments/'));

describe.each(documents)('the stylesheet of $name', ({ name, sheets, named }) => {
  it('is a single stylesheet in addition to that of the site', () => {
    expect(sheets).toContain(join(SRC, 'styles/site.css'));
    const own = sheets.filter((sheet) => dirname(sheet) === join(SRC, 'styles/pages'));
    const inside = new Set(
      own.flatMap((sheet) => [...listImports(sheet)].filter((other) => other !== sheet)),
    );
    expect(own.filter((sheet) => !inside.has(sheet)).length).toBeLessThanOrEqual(1);
  });

  it('has no sheet that the site has', () => {
    expect(sheets.filter((sheet) => !isOfSite(sheet) && listImports(sheet).values().some(isOfSite))).toEqual(
      [],
    );
  });

  it('styles every class that the page can show', () => {
    const styled = new Set([...sheets, ...lateSheets].flatMap(listStyled));
    expect(named.size).toBeGreaterThan(20);
    expect([...named].filter((name) => known.has(name) && !styled.has(name))).toEqual([]);
  });

  it('has no rules of other pages', () => {
    const shown = isOfConsole({ name }) ? namedByConsole : named;
    const unused = sheets.filter((sheet) => {
      const styled = listStyled(sheet);
      return styled.length > 0 && !styled.some((each) => shown.has(each));
    });
    expect(unused).toEqual([]);
  });
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
