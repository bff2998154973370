import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
/** Folders that documents leave out of a path. */
const FOLDERS = ['', 'server', 'server/features', 'src'];
const LINK = /\]\(([^)\s]+)\)|href="([^"]+)"/g;
const PATH =
  /`((?:bench|contract|demo|deploy|docs|lint|server|src|tests)\/[\w./-]+|(?:[\w-]+\/)+[\w.-]+\.(?:css|md|mjs|tsx?))`/g;

const documents = ['', ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })]
  .flatMap((path) => (path === '' ? readdirSync(ROOT) : [join('docs', path)]))
  .filter((path) => path.endsWith('.md'));

/** The text without code blocks. */
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8').replaceAll(/^```.*?^```$/gms, '');

/** The anchors that GitHub gives to the headings of a text. */
function listAnchors(text: string): Set<string | undefined> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading
        ?.toLowerCase()
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  );
}

function isMet(document: string, link: string): boolean {
  const [path = '', anchor] = decodeURI(link).split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || listAnchors(read(target)).has(anchor);
}

describe('a document', () => {
  it('links only to files and headings that exist', () => {
    const links = documents.flatMap((document) =>
      [...read(document).matchAll(LINK)].map(([, inText, inHtml]) => ({
        document,
        link: inText ?? inHtml ?? '',
      })),
    );
    const own = links.filter(({ link }) => !/^(?:https?|mailto):/.test(link));
    expect(own.length).toBeGreaterThan(200);
    expect(own.filter(({ document, link }) => !isMet(document, link))).toEqual([]);
  });

  it('names only files that exist', () => {
    const paths = documents.flatMap((document) =>
      [...read(document).matchAll(PATH)].map(([, path = '']) => ({ document, path })),
    );
    // X is any folder, and operators write deploy/.env.
    const named = paths.filter(({ path }) => !/\bX\b|\.env$/.test(path));
    expect(named.length).toBeGreaterThan(400);
    const missing = named.filter(
      ({ path }) => !FOLDERS.some((folder) => existsSync(join(ROOT, folder, path))),
    );
    expect(missing).toEqual([]);
  });
});
