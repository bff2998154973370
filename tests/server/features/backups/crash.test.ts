import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { listBackups } from '#server/features/backups/pool.ts';
import { requireRestoredFolder } from '#server/features/backups/restore-marks.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { runCommand } from '#support/processes/operator.ts';
import { makeEmptyPlace, makeSite, readRows, startOperator } from '#support/processes/backups.ts';
import { ruleDatabases, bothDatabases } from '#support/databases/databases.ts';
import { depth, pauseBeforeKill } from '#support/depth.ts';

/** Of each kind. */
const KILLS = depth(2, 50);
/** Kills of one restore, before it may end. */
const KILLS_IN_A_ROW = 3;
const NOTICES = 60;
/** A little longer than a command takes, once it has begun to write. A folder flushes every file. */
const LONGEST_MS = 600;
const LONGEST_FOLDER_MS = 1_500;

/** Kills a command at a random moment after it has begun to write. Returns false if it had ended. */
async function killAtRandom(
  command: ReturnType<typeof startOperator>,
  firstFile: string,
  longestMs = LONGEST_MS,
): Promise<boolean> {
  const isOver = command.ended.then(() => true);
  while (!existsSync(firstFile) && !(await Promise.race([isOver, wait(2, false)])));
  await pauseBeforeKill(longestMs);
  command.kill();
  return (await command.ended).code === null;
}

async function finish(command: ReturnType<typeof startOperator>): Promise<void> {
  expect(await command.ended).toMatchObject({ code: 0 });
}

async function makeLargeSite(kind: (typeof bothDatabases)[number]) {
  const made = await makeSite(kind);
  await made.members.act();
  const notices = join(made.site.dataDir, 'files/notices');
  await mkdir(notices, { recursive: true });
  for (let notice = 0; notice < NOTICES; notice += 1)
    await writeFile(join(notices, `${notice}.bin`), Buffer.alloc(20_000, notice));
  return made;
}

describe.each(ruleDatabases)('on $name', (kind) => {
  test('P7 a killed backup leaves the earlier ones, and nothing that looks like one', async () => {
    const { site, env, folder } = await makeLargeSite(kind);
    const backups = `${folder}/backups/`;
    await createBackup(site, backups, { withKeys: false });
    const finished = { archives: 0, folders: 0, killed: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const isFolder = kill % 2 === 0;
      const target = isFolder ? backups : join(folder, `${kill}.tar`);
      const before = await listBackups(backups);
      const scratch = isFolder ? `${backups}.partial` : `${target}.partial`;
      const command = startOperator(env, 'backup', 'create', target);
      if (await killAtRandom(command, scratch, isFolder ? LONGEST_FOLDER_MS : LONGEST_MS))
        finished.killed += 1;
      const after = await listBackups(backups);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(await verifyBackup(backups, FILE_OWNERS)).toMatchObject({ faults: [] });
      if (isFolder) finished.folders += after.length - before.length;
      else if ((await readdir(folder)).includes(`${kill}.tar`)) {
        finished.archives += 1;
        expect(await verifyBackup(target, FILE_OWNERS)).toMatchObject({ faults: [] });
      }
    }
    await createBackup(site, join(folder, 'last.tar'), { withKeys: false });
    await createBackup(site, backups, { withKeys: false });
    const left = [...(await readdir(folder)), ...(await readdir(backups))];
    expect(left.filter((name) => name.includes('.partial'))).toEqual([]);
    console.info(`${kind.name}: ${KILLS} backups killed: ${JSON.stringify(finished)}`);
  }, 600_000);
});

describe.each(bothDatabases)('on $name', (kind) => {
  test('P7 a killed restore leaves an empty place, one that nothing starts on, or the whole', async () => {
    const { site, folder } = await makeLargeSite(kind);
    const archive = join(folder, 'a.tar');
    await createBackup(site, archive, { withKeys: false });
    const rows = await readRows(site.database, folder);
    const states = { empty: 0, half: 0, whole: 0 };
    for (let kills = 0; kills < KILLS;) {
      const { place, env: restored, remove } = await makeEmptyPlace(kind);
      let isWhole = false;
      for (let inARow = 0; inARow < KILLS_IN_A_ROW && kills < KILLS && !isWhole; inARow += 1) {
        kills += 1;
        const marker = join(place.dataDir, 'restore-incomplete.json');
        await killAtRandom(startOperator(restored, 'backup', 'restore', archive), marker);
        const state = await readState(place.dataDir);
        states[state] += 1;
        if (state === 'half')
          expect(await runCommand(restored, 'ledger', 'verify')).toMatchObject({ code: 1 });
        isWhole = state === 'whole';
      }
      if (!isWhole) await finish(startOperator(restored, 'backup', 'restore', archive));
      expect(await readState(place.dataDir)).toBe('whole');
      expect(await readRows(place.database, folder)).toEqual(rows);
      expect(await readdir(join(place.dataDir, 'files/notices'))).toHaveLength(NOTICES);
      await remove();
    }
    console.info(`${kind.name}: ${KILLS} restores killed: ${JSON.stringify(states)}`);
  }, 600_000);
});

async function readState(dataDir: string): Promise<'empty' | 'half' | 'whole'> {
  const names = await readdir(dataDir).catch(() => []);
  if (names.length === 0) return 'empty';
  try {
    await requireRestoredFolder(dataDir);
    return 'whole';
  } catch {
    return 'half';
  }
}
