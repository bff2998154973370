import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENTRIES, PARTS, WITHOUT_CIRCLES, findFault } from '../../lint/import-rules.mjs';

const ROOT = new URL('../..', import.meta.url).pathname;

describe('a part', () => {
  const STOPPED = [
    ['contract/sounds/sounds.ts', 'hono', 'contract imports no package but valibot'],
    ['contract/sounds/sounds.ts', '../../src/lib/wave.ts', 'contract may import itself'],
    ['src/lib/wave.ts', '../stores/player/player.ts', 'src/lib may import'],
    ['src/lib/wave.ts', 'node:fs', 'edge runtimes'],
    ['src/lib/wave.ts', '../api/client.ts', 'src/lib may import'],
    ['src/browser/stored.ts', '../api/client.ts', 'src/browser may import'],
    ['src/astro/islands.ts', '../lib/format.ts', 'src/astro may import'],
    ['src/navigation/navigate.ts', '../stores/player/player.ts', 'src/navigation may import'],
    ['src/astro/build/scripts.ts', '../../lib/format.ts', 'src/astro/build may import'],
    ['src/navigation/navigate.ts', 'react', 'does without react'],
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
    ['src/islands/uses/UsesView.tsx', '../console/Loaded.tsx', 'Only src/pages/operator/[...page].astro'],
    ['src/pages/profile.astro', '../islands/console/Loaded.tsx', 'Only src/pages/operator/[...page].astro'],
    ['src/islands/console/site/site.ts', 'react', 'does without react'],
    ['src/stores/player/player.ts', '../../islands/console/site/site.ts', 'src/stores may import'],
    ['src/scripts/shell/keys.ts', '../../api/browser.ts', 'src/scripts may import'],
    ['src/components/Icon.astro', '../api/browser.ts', 'src/components may import'],
    ['src/layouts/Shell.astro', '../api/browser.ts', 'src/layouts may import'],
    ['src/pages/index.astro', '../api/browser.ts', 'src/pages may import'],
    ['src/pages/index.astro', '../../server/main.ts', 'src/pages may import'],
    ['src/middleware.ts', '../server/app.ts', 'src may import'],
    ['server/main.ts', '#server/app.ts', 'Only tests use the aliases'],
    ['server/platform/http/http.ts', '../../features/staff/actions.ts', 'server/platform may import'],
    ['server/platform/http/http.ts', '../../../contract/sounds/sounds.ts', 'server/platform may import'],
    ['server/media/audio/audio.ts', '../../features/staff/actions.ts', 'server/media may import'],
    ['server/web/pages.ts', '../../src/lib/wave.ts', 'server/web may import'],
    ['server/schema/migrations.ts', '../media/audio/audio.ts', 'server/schema may import'],
    ['server/features/staff/actions.ts', '../../../src/lib/wave.ts', 'server/features may import'],
    ['server/features/staff/actions.ts', '../../../demo/seed.ts', 'server/features may import'],
    ['server/features/console/pages.ts', '../../../src/lib/wave.ts', 'server/features/console may import'],
    ['server/features/backups/process.ts', '../../host.ts', 'server/features/backups/process.ts may import'],
    ['server/features/drill/process.ts', '../../host.ts', 'server/features/drill/process.ts may import'],
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
    ['contract/sounds/sounds.ts', 'valibot'],
    ['src/islands/sounds/SoundCard.tsx', '../../stores/player/player.ts'],
    ['src/islands/sounds/SoundCard.tsx', '../ui/Icon.tsx'],
    ['src/islands/console/site/SitePanel.tsx', './site.ts'],
    ['src/islands/console/site/site.ts', '../../../api/browser.ts'],
    ['src/stores/downloads/downloads.ts', '../../ads/chain.ts'],
    ['src/pages/index.astro', '../islands/sounds/SoundGrid.tsx'],
    ['server/features/staff/actions.ts', '../../../contract/sounds/sounds.ts'],
    ['server/main.ts', '../src/render/page-targets.ts'],
    ['server/operator.ts', './operator/run.ts'],
    ['demo/seed.ts', '../server/features/catalogue/service.ts'],
    ['server/features/downloads/credits.ts', '../ledger/postings.ts'],
    ['server/features.ts', './features/ledger/module.ts'],
    ['server/operator/api.ts', '../features/console/module.ts'],
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
  ])('stops %s from importing %s', (file, specifier, entry) => {
    expect(findFault(file, specifier)).toContain(entry);
  });

  it.each([['src/stores/session/session.ts', '../downloads/downloads.ts']])(
    'stops %s from importing the later %s',
    (file, specifier) => {
      expect(findFault(file, specifier)).toContain('comes before');
    },
  );

  it('is imported only from inside it and by tests', () => {
    expect(findFault('src/stores/player/queue.ts', './media-session.ts')).toBeUndefined();
    expect(findFault('tests/src/x.test.ts', '../../src/stores/player/media-session.ts')).toBeUndefined();
  });
});

describe('a module', () => {
  it.each(['server/features/staff/actions.ts', 'server/host.ts', 'demo/seed.ts'])(
    'is not imported by %s',
    (file) => {
      const path = posix.relative(posix.dirname(file), 'server/features/ledger/module.ts');
      expect(findFault(file, path.startsWith('.') ? path : `./${path}`)).toContain('Only server/features.ts');
    },
  );
});

describe('the subfolders', () => {
  it.each(WITHOUT_CIRCLES)('of %s import each other in one direction', (parent) => {
    expect(findCircle(readImports(parent))).toEqual([]);
  });

  it('are found in a circle', () => {
    const imports = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c', 'd'])],
      ['c', new Set<string>()],
      ['d', new Set(['b'])],
    ]);
    expect(findCircle(imports)).toEqual(['b', 'd']);
  });
});

/** Which subfolders of a folder import which others, in their TypeScript files. */
function readImports(parent: string): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  const files = readdirSync(join(ROOT, parent), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.ts') && name.includes('/'))) {
    const [own = ''] = file.split('/', 1);
    const others = imports.get(own) ?? new Set();
    imports.set(own, others);
    const text = readFileSync(join(ROOT, parent, file), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const [other = '', ...rest] = posix.join(posix.dirname(file), specifier).split('/');
      if (other !== '..' && other !== own && rest.length > 0) others.add(other);
    }
  }
  return imports;
}

/** The folders that lead back to themselves. */
function findCircle(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const reach = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of imports.get(from) ?? []) if (!seen.has(next)) reach(next, seen.add(next));
    return seen;
  };
  return [...imports.keys()].filter((folder) => reach(folder).has(folder));
}

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
