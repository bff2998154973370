import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openHost } from '#server/host.ts';
import { parseSettings } from '#server/settings.ts';
import { makeFolder } from '#support/files/folders.ts';
import { toOutput } from '#support/http/host.ts';
import { CUTS, TIMEOUT_MS, cutPower } from '#support/power-cuts/cuts.ts';
import { record } from '#support/power-cuts/record.ts';

const START = new URL('first-start.ts', import.meta.url);

test(
  'a power loss at the first start leaves a site that starts, with the same keys once it has started',
  { timeout: TIMEOUT_MS },
  async () => {
    const root = await makeFolder();
    const recording = await record(root, { module: START, args: [], env: toEnv(root) });
    const keys = await readKeys(root);

    const failures = await cutPower(recording, CUTS, async (cut) => {
      if (cut.heard.includes('started')) expect(await readKeys(cut.root)).toEqual(keys);
      const host = await openHost(parseSettings(toEnv(cut.root)), toOutput());
      await host.close();
    });
    expect(failures).toEqual([]);
  },
);

function toEnv(root: string) {
  return {
    DATA_DIR: join(root, 'site', 'data'),
    PERSONAL_INFO_KEY_FILE: join(root, 'staff', 'personal-info-key.pem'),
    PORT: '0',
  };
}

async function readKeys(root: string): Promise<Record<string, string>> {
  const { DATA_DIR, PERSONAL_INFO_KEY_FILE } = toEnv(root);
  const names = await readdir(join(DATA_DIR, 'secrets'));
  const paths = [...names.map((name) => join(DATA_DIR, 'secrets', name)), PERSONAL_INFO_KEY_FILE];
  const keys = paths.map(async (path) => [path.slice(root.length), await readFile(path, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(keys));
}
