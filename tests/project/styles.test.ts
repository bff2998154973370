import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listImports, listPages, pageUtilities } from '../../server/web/astro/page-utilities.ts';

const SRC = resolve(import.meta.dirname, '../../src');

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

const pages = listPages().map((page) => {
  const name = relative(join(SRC, 'pages'), page);
  const all = listImports(page, { withLate: true });
  // The layer of the password prompt can load anywhere; only the profile asks for the password.
  const files = [
    ...(all.has(join(SRC, 'islands/profile/ProfileView.tsx'))
      ? all
      : listImports(page, {
          withLate: true,
          seen: new Set([join(SRC, 'islands/overlays/PasswordPrompts.tsx')]),
        })),
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
    expect(own.filter((sheet) => !inside.has(sheet))).toHaveLength(1);
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

it('a sheet names what its pages and their fragments show, for the utilities of these', () => {
  const name = (sheet: string) => {
    const { transform } = pageUtilities() as { transform: (code: string, id: string) => string | undefined };
    return transform('.x {}', join(SRC, 'styles', sheet)) ?? '';
  };
  const listing = name('pages/listing.css');
  for (const part of ['layouts/Shell.astro', 'components/FactFilters.astro', 'islands/sounds/SoundCard.tsx'])
    expect(listing).toContain(`@source '../../${part}';`);
  expect(listing).not.toMatch(/islands\/(player|overlays|profile)\//);
  expect(name('pages/text.css')).not.toContain('SoundCard');
  expect(name('pages/artist.css')).toContain("@source '../../pages/artist/*.astro';");
  expect(name('sounds.css')).toBe('');
});

it('every fragment imports the sheet of the page that it comes into', () => {
  const fragments = pages.filter((page) => !documents.includes(page));
  expect(fragments).not.toEqual([]);
  for (const { sheets } of fragments) expect(sheets.some((sheet) => sheet.includes('/pages/'))).toBe(true);
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
