import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PARTS } from '../../lint/import-rules.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;
const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');

/** The text of a section or walk, up to the next one. */
function findSection(start: string): string {
  const [, after = ''] = text.split(start);
  return after.split(/\n## |\n\*\*/, 1)[0] ?? '';
}

it('the diagram shows folders that exist and imports that the rules allow', () => {
  const picture = findSection('```mermaid').split('```', 1)[0] ?? '';
  const paths = new Map([...picture.matchAll(/(\w+)\[([\w/]+)\]/g)].map(([, id, path]) => [id, path]));
  const toPath = (id: string) => paths.get(id) ?? id;
  const edges = [...picture.matchAll(/(\w+)(?:\[[^\]]*\])? --> (\w+)/g)];
  expect(edges.length).toBeGreaterThan(20);
  for (const [edge, from = '', to = ''] of edges) {
    expect(existsSync(join(ROOT, toPath(from))), edge).toBe(true);
    const allowed = PARTS[toPath(from)]?.imports ?? [];
    // Or some of its files.
    const isAllowed = allowed.some(
      (part) => `${toPath(to)}/`.startsWith(`${part}/`) || part.startsWith(`${toPath(to)}/`),
    );
    expect(isAllowed, `${edge} (${toPath(from)} → ${toPath(to)})`).toBe(true);
  }
});

it('the map names every folder of src and server, and no other', () => {
  const named = [...findSection('| folder ').matchAll(/^\| `([\w/]+)`/gm)].map(([, path]) => path);
  const present = ['src', 'server'].flatMap((half) =>
    readdirSync(join(ROOT, half), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `${half}/${name}`),
  );
  expect(named.filter((path = '') => path.includes('/')).toSorted()).toEqual(present.toSorted());
});

it.each([
  ['**A listing, from page to SQL.**', 10],
  ['**An upload, from input to disk.**', 15],
  ['**A rewarded download, from press to file.**', 15],
  ['**A decision of the staff, from key to record.**', 8],
  ['**A page, from socket to HTML.**', 10],
])('%s takes at most %d files', (title, most) => {
  const files = [...findSection(title).matchAll(/^\d+\. `([^`]+)`/gm)].map(([, path]) => path);
  expect(files.length).toBeGreaterThan(5);
  expect(files.length).toBeLessThanOrEqual(most);
});
