import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Folders that documents leave out of a path. */
const FOLDERS = ['', 'server', 'server/features', 'src'];
const LINK = /\]\(([^)\s]+)\)|href="([^"]+)"|^\[[^\]]+\]: (\S+)$/gm;
const PATH =
  /`((?:bench|contract|demo|deploy|docs|lint|server|src|tests)\/[\w./*-]+|(?:[\w*-]+\/)+[\w.*-]+\.(?:css|md|mjs|tsx?))`/g;
/** Files whose comments can name a decision. */
const SOURCE = /^\.?(?:astro|css|example|md|mjs|service|tsx?|yaml|)$/;

const ignored = new Set(
  ['.git', ...readFileSync(join(ROOT, '.gitignore'), 'utf8').split('\n')].map((line) =>
    line.replace(/\/$/, ''),
  ),
);

/** The files of the repository, without what it ignores. */
function listFiles(folder = ''): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !ignored.has(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return listFiles(path);
      return entry.isFile() ? [path] : [];
    });
}

const files = listFiles();
const documents = files.filter((path) => path.endsWith('.md'));

const readWhole = (path: string) => readFileSync(join(ROOT, path), 'utf8');
/** The text without code blocks. */
const read = (path: string) => readWhole(path).replaceAll(/^( *)```.*?^\1```$/gms, '');

const listHeadings = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);

/** The anchors that GitHub gives to headings: repeated ones are numbered. */
function toAnchors(headings: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const heading of headings) {
    const anchor = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-');
    let count = 0;
    while (anchors.has(count === 0 ? anchor : `${anchor}-${count}`)) count += 1;
    anchors.add(count === 0 ? anchor : `${anchor}-${count}`);
  }
  return anchors;
}

const listLinks = (document: string) =>
  [...read(document).matchAll(LINK)].map(([, ...found]) => found.find((link) => link !== undefined) ?? '');

function isMet(document: string, link: string): boolean {
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || toAnchors(listHeadings(read(target))).has(anchor);
}

/** Whether a path that a document names exists. `*` and the folder `X` are any name. */
function isPresent(document: string, path: string): boolean {
  const pattern = path.replaceAll(/\bX\b/g, '*');
  if (!path.includes('/') && files.some((file) => basename(file) === path)) return true;
  return [...FOLDERS, dirname(document)].some((folder) =>
    pattern.includes('*')
      ? globSync(join(folder, pattern), { cwd: ROOT }).length > 0
      : existsSync(join(ROOT, folder, pattern)),
  );
}

/** The code in the column `where` of tables; a bare name is in the folder of the path before it. */
function listPlaces(text: string): string[] {
  return text.split(/\n\n+/).flatMap((table) => {
    const rows = table.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
    const column = rows[0]?.indexOf('where') ?? -1;
    if (column === -1) return [];
    return rows.flatMap((cells) => {
      const names = [...(cells[column] ?? '').matchAll(/`([\w./*-]+)`/g)].map(([, name = '']) => name);
      return names.map((name, index) =>
        name.includes('/') || index === 0 ? name : join(dirname(names[index - 1] ?? ''), name),
      );
    });
  });
}

describe('a document', () => {
  it('links only to files and headings that exist', () => {
    // Texts of the product link to pages of the site.
    const links = documents
      .flatMap((document) => listLinks(document).map((link) => ({ document, link })))
      .filter(({ link }) => !/^(?:https?:|mailto:|\/)/.test(link));
    expect(links.length).toBeGreaterThan(200);
    expect(links.filter(({ document, link }) => !isMet(document, link))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = documents.flatMap((document) =>
      [...read(document).matchAll(PATH)].map(([, path = '']) => ({ document, path })),
    );
    // Operators write deploy/.env.
    const named = paths.filter(({ path }) => !path.endsWith('.env'));
    expect(named.length).toBeGreaterThan(400);
    expect(named.filter(({ document, path }) => !isPresent(document, path))).toEqual([]);
  });

  it.each(['docs/limits.md', 'ARCHITECTURE.md'])('%s says where with paths that exist', (document) => {
    const places = listPlaces(read(document));
    expect(places.length).toBeGreaterThan(25);
    expect(places.filter((place) => !isPresent(document, place))).toEqual([]);
  });

  it.each([
    ['README.md', 'README.ja.md'],
    ['docs/operating.md', 'docs/operating.ja.md'],
  ])('%s has the sections, settings and commands of %s', (english, japanese) => {
    const outline = (document: string) => {
      const text = readWhole(document);
      const find = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => found?.trim());
      return {
        sections: find(/^(#+ (?:\d+)?)/gm),
        settings: find(/^\| (`[A-Z][^|]*)/gm),
        commands: find(/^(npm [^#\n]+)/gm),
      };
    };
    expect(outline(japanese)).toEqual(outline(english));
  });

  it.each(['README.md', 'README.ja.md'])('%s has at most 100 lines', (document) => {
    expect(readWhole(document).split('\n').length - 1).toBeLessThanOrEqual(100);
  });

  it('has the anchors that GitHub makes', () => {
    const headings = [
      '1. Files in a *bucket*',
      '運営（毎日）の手引き',
      'See [the API](api.md)',
      'Cost',
      'Cost',
    ];
    expect([...toAnchors(headings)]).toEqual([
      '1-files-in-a-bucket',
      '運営毎日の手引き',
      'see-the-api',
      'cost',
      'cost-1',
    ]);
  });
});

describe('a decision', () => {
  const pages = documents.filter((path) => path.startsWith('docs/decisions/'));
  const headings = pages.flatMap((page) =>
    listHeadings(read(page))
      .filter((heading) => /^\d{3} /.test(heading))
      .map((heading) => ({ page, heading, number: heading.slice(0, 3) })),
  );
  const numbers = headings.map(({ number }) => number);

  it('has a number of its own, and its title in the index', () => {
    expect(numbers.length).toBeGreaterThan(100);
    expect(numbers).toHaveLength(new Set(numbers).size);
    const listed = [...read('docs/decisions/README.md').matchAll(/^- \[(\d{3} .+)\]\((.+)\)$/gm)].map(
      ([, heading, link = '']) => ({ heading, page: join('docs/decisions', link.split('#', 1)[0] ?? '') }),
    );
    const toLine = ({ page, heading = '' }: { page: string; heading?: string | undefined }) =>
      `${page} ${heading}`;
    expect(listed.map(toLine).toSorted()).toEqual(headings.map(toLine).toSorted());
  });

  it('exists when a file names its number', () => {
    const named = files
      .filter((path) => SOURCE.test(extname(path)))
      .flatMap((path) =>
        [...readWhole(path).matchAll(/\b[Dd]ecisions? (\d{3}\b(?:(?:, | and |, and )\d{3}\b)*)/g)].flatMap(
          ([, list = '']) => list.split(/\D+/).map((number) => ({ path, number })),
        ),
      );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });

  it('is named by its number, because pages are joined and renamed', () => {
    const sources = files.filter((path) => SOURCE.test(extname(path)) && !path.endsWith('.md'));
    expect(sources.filter((path) => /docs\/decisions\/\d/.test(readWhole(path)))).toEqual([]);
  });
});
