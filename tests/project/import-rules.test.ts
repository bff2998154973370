import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENTRIES, PARTS, findFault } from '../../lint/import-rules.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;

describe('a part', () => {
  const STOPPED = [
    ['contract/sounds.ts', 'hono', 'contract imports no package but valibot'],
    ['contract/sounds.ts', '../src/lib/wave.ts', 'contract may import itself'],
    ['src/lib/wave.ts', '../stores/player/player.ts', 'src/lib may import'],
    ['src/lib/wave.ts', 'node:fs', 'edge runtimes'],
    ['src/lib/wave.ts', '../api/client.ts', 'src/lib may import'],
    ['src/browser/stored.ts', '../api/client.ts', 'src/browser may import'],
    ['src/render/listing.ts', '../stores/player/player.ts', 'src/render may import'],
    ['src/islands/sounds/SoundCard.tsx', '../../render/listing.ts', 'src/islands may import'],
    ['src/api/client.ts', '../stores/player/player.ts', 'src/api may import'],
    ['src/api/client.ts', '../lib/format.ts', 'src/api may import'],
    ['src/ads/house.ts', '../stores/player/player.ts', 'src/ads may import'],
    ['src/ads/house.ts', 'react', 'does without react'],
    ['src/stores/player/player.ts', '../../islands/ui/Icon.tsx', 'src/stores may import'],
    ['src/stores/player/player.ts', 'react-dom/client', 'does without react-dom/client'],
    ['src/islands/ui/Icon.tsx', '../../stores/player/player.ts', 'src/islands/ui may import'],
    ['src/islands/ui/Icon.tsx', '../sounds/SoundCard.tsx', 'src/islands/ui may import'],
    ['src/islands/sounds/SoundCard.tsx', '../../api/browser.ts', 'src/islands may import'],
    ['src/islands/sounds/SoundCard.tsx', '../../layouts/Shell.astro', 'src/islands may import'],
    ['src/islands/console/site/SitePanel.tsx', '../../../api/browser.ts', 'src/islands may import'],
    ['src/islands/console/desk/use-desk-keys.ts', '../../../api/browser.ts', 'src/islands may import'],
    ['src/islands/console/site/site.ts', './SitePanel.tsx', 'src/islands/console may import'],
    ['src/islands/console/site/site.ts', 'react', 'does without react'],
    ['src/stores/player/player.ts', '../../islands/console/site/site.ts', 'src/stores may import'],
    ['src/scripts/shell/keys.ts', '../../api/browser.ts', 'src/scripts may import'],
    ['src/components/Icon.astro', '../api/browser.ts', 'src/components may import'],
    ['src/layouts/Shell.astro', '../api/browser.ts', 'src/layouts may import'],
    ['src/pages/index.astro', '../api/browser.ts', 'src/pages may import'],
    ['src/pages/index.astro', '../../server/main.ts', 'src/pages may import'],
    ['src/middleware.ts', '../server/app.ts', 'src may import'],
    ['server/main.ts', '#server/app.ts', 'Only tests use the aliases'],
    ['server/platform/http/http.ts', '../../features/staff/staff.ts', 'server/platform may import'],
    ['server/media/audio/audio.ts', '../../features/staff/staff.ts', 'server/media may import'],
    ['server/web/pages.ts', '../../src/lib/wave.ts', 'server/web may import'],
    ['server/features/staff/staff.ts', '../../../src/lib/wave.ts', 'server/features may import'],
    ['server/features/staff/staff.ts', '../../../demo/seed.ts', 'server/features may import'],
    ['server/features/console/pages.ts', '../../../src/lib/wave.ts', 'server/features/console may import'],
    ['server/operator/run.ts', '../host.ts', 'server/operator may import'],
    ['server/host.ts', './operator/api.ts', 'Only server/operator.ts runs'],
    ['server/edge.ts', '../src/stores/player/player.ts', 'server/edge.ts may import'],
    ['server/main.ts', '../src/stores/player/player.ts', 'server/main.ts may import'],
    ['server/host.ts', '../src/lib/wave.ts', 'server may import'],
  ] as const;

  it.each(STOPPED)('stops %s from importing %s', (file, specifier, reason) => {
    expect(findFault(file, specifier)).toContain(reason);
  });

  it('is restricted by its own rule, each tested above', () => {
    const isTested = (part: string) => STOPPED.some(([file]) => `${file}/`.startsWith(`${part}/`));
    expect(Object.keys(PARTS).filter((part) => !isTested(part))).toEqual([]);
  });

  it.each([
    ['contract/sounds.ts', 'valibot'],
    ['src/islands/sounds/SoundCard.tsx', '../../stores/player/player.ts'],
    ['src/islands/sounds/SoundCard.tsx', '../ui/Icon.tsx'],
    ['src/islands/console/site/SitePanel.tsx', './site.ts'],
    ['src/islands/console/site/site.ts', '../../../api/browser.ts'],
    ['src/stores/downloads/downloads.ts', '../../ads/chain.ts'],
    ['src/pages/index.astro', '../islands/sounds/SoundGrid.tsx'],
    ['server/features/staff/actions.ts', '../../../contract/sounds.ts'],
    ['server/main.ts', '../src/render/page-targets.ts'],
    ['server/operator.ts', './operator/run.ts'],
    ['demo/seed.ts', '../server/features/catalogue/catalogue.ts'],
  ])('lets %s import %s', (file, specifier) => {
    expect(findFault(file, specifier)).toBeUndefined();
  });
});

describe('a folder with an entry file', () => {
  it.each(Object.keys(ENTRIES))('has its place in the order of %s', (parent) => {
    const folders = readdirSync(join(ROOT, parent), { withFileTypes: true });
    const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(ENTRIES[parent]?.toSorted());
  });

  it.each([
    ['src/islands/player/PlayerBar.tsx', '../../stores/player/media-session.ts', 'stores/player/player.ts'],
    ['src/stores/search/search.ts', '../player/media-session.ts', 'src/stores/player/player.ts'],
    ['server/features/downloads/credits.ts', '../ledger/postings.ts', 'server/features/ledger/ledger.ts'],
    [
      'server/features/ledger/postings.ts',
      '../../platform/database/open.ts',
      'platform/database/database.ts',
    ],
    ['server/features/ledger/postings.ts', '../staff/module.ts', 'server/features/staff/staff.ts'],
    ['bench/catalogue.ts', '../server/features/catalogue/queries.ts', 'catalogue/catalogue.ts'],
  ])('stops %s from importing %s', (file, specifier, entry) => {
    expect(findFault(file, specifier)).toContain(entry);
  });

  it.each([
    ['server/features/staff/actions.ts', '../downloads/downloads.ts'],
    ['server/platform/database/open.ts', '../http/http.ts'],
    ['src/stores/session/session.ts', '../downloads/downloads.ts'],
  ])('stops %s from importing the later %s', (file, specifier) => {
    expect(findFault(file, specifier)).toContain('comes before');
  });

  it('is imported only from inside it, by the list of modules, and by tests', () => {
    expect(findFault('server/features/ledger/figures.ts', './postings.ts')).toBeUndefined();
    expect(findFault('server/modules.ts', './features/ledger/module.ts')).toBeUndefined();
    expect(findFault('tests/server/x.test.ts', '../../server/features/ledger/postings.ts')).toBeUndefined();
  });
});

describe('the linter', () => {
  it('reports static, dynamic and type imports and re-exports, in each kind of file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'import-rules-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await cp(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
    await cp(join(ROOT, 'lint'), join(folder, 'lint'), { recursive: true });
    const from = "'../../api/browser.ts'";
    const files = {
      'src/islands/a/static.tsx': `import { a } from ${from};\nexport const b = a;\n`,
      'src/islands/a/dynamic.ts': `export const load = () => import(${from});\n`,
      'src/islands/a/types.ts': `export type A = typeof import(${from});\n`,
      'src/islands/a/again.ts': `export { a } from ${from};\n`,
      'src/pages/a/page.astro': `---\nimport { a } from ${from};\n---\n<p>{a}</p>\n`,
      'src/pages/a/script.astro': `<script>\nvoid import(${from});\n</script>\n`,
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const oxlint = join(ROOT, 'node_modules/.bin/oxlint');
    const { stdout } = spawnSync(oxlint, ['--format=unix'], { cwd: folder, encoding: 'utf8' });
    const reported = stdout.split('\n').filter((line) => line.includes('may import'));
    for (const path of Object.keys(files)) expect(reported.join('\n')).toContain(path);
    expect(reported).toHaveLength(Object.keys(files).length);
  });
});
