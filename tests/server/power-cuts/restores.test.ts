import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { requireRestoredFolder } from '#server/features/backups/restore-marks.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { listFiles, makeFolder } from '#support/files/folders.ts';
import { CUTS, TIMEOUT_MS, cutPower } from '#support/power-cuts/cuts.ts';
import { record } from '#support/power-cuts/record.ts';
import { makeSite, readRows } from '#support/processes/backups.ts';
import { runCommand } from '#support/processes/operator.ts';

const OPERATOR = new URL('../../../server/operator.ts', import.meta.url);
/** Removed by the next restore. */
const DRAFT = 'restore-incomplete.json.new';

test(
  'P7: a power loss leaves the whole of a reported restore, or a place where it can be repeated',
  { timeout: TIMEOUT_MS },
  async () => {
    const kind = bothDatabases.find(({ name }) => name === 'sqlite');
    if (kind === undefined) throw new Error('no SQLite');
    const { site, env, folder, members } = await makeSite(kind);
    await members.act();
    await members.act();
    const backups = join(folder, 'backups');
    // With a list of erasures, which is applied to the restored rows.
    expect(await runCommand(env, 'backup', 'create', `${backups}/`)).toMatchObject({ code: 0 });
    const rows = await readRestored(site.database, folder);
    const files = await readHashes(join(site.dataDir, 'files'));
    const root = await makeFolder();
    const args = ['backup', 'restore', backups];
    const recording = await record(root, { module: OPERATOR, args, env: { DATA_DIR: join(root, 'data') } });

    const states = { empty: 0, half: 0, whole: 0 };
    const failures = await cutPower(recording, CUTS, async (cut) => {
      const dataDir = join(cut.root, 'data');
      const place = {
        dataDir,
        database: { kind: 'sqlite', file: join(dataDir, 'site.sqlite') },
        storage: { kind: 'folder', path: join(dataDir, 'files') },
        files: FILE_OWNERS,
      } as const;
      const state = await readState(dataDir);
      states[state] += 1;
      if (cut.heard.some((line) => String(line).startsWith('Restored'))) expect(state).toBe('whole');
      if (state !== 'whole') await restoreBackup(place, backups);
      expect(await readRestored(place.database, cut.root)).toEqual(rows);
      expect(await readHashes(place.storage.path)).toEqual(files);
    });
    console.info(`left by power losses: ${JSON.stringify(states)}`);
    expect(failures).toEqual([]);
  },
);

/** Reports of machines are from before the restore, which marks them so. */
async function readRestored(...place: Parameters<typeof readRows>) {
  const { backup_places: _, ...rows } = await readRows(...place);
  return rows;
}

async function readState(dataDir: string): Promise<keyof { empty: 0; half: 0; whole: 0 }> {
  const names = await readdir(dataDir).catch(() => []);
  if (names.every((name) => name === DRAFT)) return 'empty';
  return requireRestoredFolder(dataDir).then(
    () => 'whole' as const,
    () => 'half' as const,
  );
}

async function readHashes(folder: string): Promise<string[]> {
  const paths = await listFiles(folder);
  const lines = paths.map(async (path) => {
    const hash = createHash('sha256').update(await readFile(path));
    return `${relative(folder, path)} ${hash.digest('hex')}`;
  });
  return (await Promise.all(lines)).toSorted();
}
