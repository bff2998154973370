import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'walls-'));
  await cp(join(ROOT, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the linter says of a file that stands at `path` and imports `specifier`. */
async function lint(path: string, specifier: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  const statement = `import { thing } from '${specifier}';`;
  await writeFile(
    file,
    path.endsWith('.astro')
      ? `---\n${statement}\n---\n<p>{thing}</p>\n`
      : `${statement}\nexport const made = thing;\n`,
  );
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), [path], {
    cwd: folder,
    encoding: 'utf8',
  });
  await rm(file);
  return stdout;
}

describe('the import walls', () => {
  it.each([
    ['contract/sounds.ts', '../server/features/sounds/service.ts'],
    ['contract/sounds.ts', 'hono'],
    ['src/islands/sounds/Card.tsx', '../../../server/app.ts'],
    ['src/islands/sounds/Card.tsx', '../../api/browser.ts'],
    ['src/islands/sounds/Card.tsx', '../../layouts/x.ts'],
    ['src/islands/ui/Button.tsx', '../../stores/player/player.ts'],
    ['src/islands/ui/Button.tsx', '../sounds/SoundCard.tsx'],
    ['src/stores/player/player.ts', '../islands/../layouts/x.ts'],
    ['src/stores/player/player.ts', 'react'],
    ['src/stores/player/player.ts', '../../server/platform/log.ts'],
    ['src/api/client.ts', '../stores/player.ts'],
    ['src/ads/house.ts', '../stores/player.ts'],
    ['src/ads/house.ts', 'react'],
    ['src/lib/x.ts', 'node:fs'],
    ['src/pages/index.astro', '../../server/main.ts'],
    ['src/pages/index.astro', '../api/browser.ts'],
    ['server/features/catalogue/service.ts', '../../../src/lib/wave.ts'],
    ['server/web/pages.ts', '../../src/lib/wave.ts'],
    ['server/features/catalogue/service.ts', '../../../demo/seed.ts'],
  ])('stop %s from importing %s', async (path, specifier) => {
    expect(await lint(path, specifier)).toContain('no-restricted-imports');
  });

  it.each([
    ['contract/sounds.ts', 'valibot'],
    ['contract/sounds.ts', './paging.ts'],
    ['src/islands/sounds/Card.tsx', '../../stores/player.ts'],
    ['src/islands/sounds/Card.tsx', '../ui/Icon.tsx'],
    ['src/islands/sounds/Card.tsx', '../../../contract/sounds.ts'],
    ['src/stores/player/player.ts', '../api/browser.ts'],
    ['src/stores/player/player.ts', './toasts.ts'],
    ['src/stores/downloads/effects.ts', '../../ads/chain.ts'],
    ['src/ads/house.ts', '../api/browser.ts'],
    ['src/api/client.ts', '../../contract/errors.ts'],
    ['src/pages/index.astro', '../islands/sounds/SoundGrid.tsx'],
    ['server/features/catalogue/service.ts', '../../../contract/sounds.ts'],
    ['server/main.ts', '../src/lib/sound-filters.ts'],
  ])('let %s import %s', async (path, specifier) => {
    expect(await lint(path, specifier)).not.toContain('no-restricted-imports');
  });
});
