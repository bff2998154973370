import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const SCRIPTS = new URL('../../src/scripts/', import.meta.url);
/** The session and the search raise no overlay. */
const STORE = /(?:from |import\()'(?:\.\.\/)+stores\/(?!search|session)/;

/** A store may raise an overlay at any time; without a loader it would fall back to the browser's dialogs. */
it('scripts that use stores have overlays rendered', () => {
  const files = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const users = files.filter((name) => STORE.test(readFileSync(new URL(name, SCRIPTS), 'utf8')));
  expect(users).toContain('log-out.ts');
  for (const name of users)
    expect(readFileSync(new URL(name, SCRIPTS), 'utf8'), name).toContain('followOverlays();');
});
