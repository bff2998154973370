import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { listBackups } from '#server/features/backups/pool.ts';
import type { BackupReply, BackupRequest } from '#server/features/backups/schedule.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { CUTS, TIMEOUT_MS, cutPower, testOfAllCalls } from '#support/power-cuts/cuts.ts';
import { record } from '#support/power-cuts/record.ts';
import { makeSite } from '#support/processes/backups.ts';

const PROCESS = new URL('../../../server/features/backups/process.ts', import.meta.url);
const OPERATOR = new URL('../../../server/operator.ts', import.meta.url);

async function makeUsedSite() {
  const kind = bothDatabases.find(({ name }) => name === 'sqlite');
  if (kind === undefined) throw new Error('no SQLite');
  const made = await makeSite(kind);
  await made.members.act();
  return made;
}

test(
  'P7: a power loss leaves a complete backup in the folder that the server writes to, and no part of one',
  { timeout: TIMEOUT_MS },
  async () => {
    const { site, folder: root, members } = await makeUsedSite();
    const folder = join(root, 'backups');
    await mkdir(folder);
    await createBackup(site, `${folder}/`, { withKeys: false });
    await members.act();
    const request: BackupRequest = { site, folder, keep: 1, verifies: false };
    const recording = await record(root, { module: PROCESS, args: [], request });

    const failures = await cutPower(recording, CUTS, async (cut) => {
      const backups = join(cut.root, 'backups');
      const names = await listBackups(backups);
      const [reply] = cut.heard as BackupReply[];
      if (reply?.state === 'made') expect(names).toContain(basename(reply.path));
      expect(names).not.toEqual([]);
      for (const name of names)
        expect(await verifyBackup(join(backups, name), FILE_OWNERS)).toMatchObject({ faults: [] });
    });
    expect(failures).toEqual([]);
  },
);

testOfAllCalls.each(['a.tar', 'new/'])(
  'P7: a power loss leaves the whole of a reported backup %s, or none',
  { timeout: TIMEOUT_MS },
  async (target) => {
    const { env, folder: root } = await makeUsedSite();
    const args = ['backup', 'create', `${root}/${target}`];
    const recording = await record(root, { module: OPERATOR, args, env });

    const failures = await cutPower(recording, CUTS, async (cut) => {
      const isReported = cut.heard.some((line) => String(line).includes('files and the database'));
      const backup = join(cut.root, target);
      const isThere = target.endsWith('/') ? (await listBackups(backup)).length > 0 : existsSync(backup);
      if (isReported) expect(isThere).toBe(true);
      if (isThere) expect(await verifyBackup(backup, FILE_OWNERS)).toMatchObject({ faults: [] });
    });
    expect(failures).toEqual([]);
  },
);
