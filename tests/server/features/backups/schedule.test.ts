import { cp, mkdir, readFile, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { PlaceInUse, readProcessSpace, withScratch } from '#server/features/backups/claim.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { deleteBackups, toBackupName } from '#server/features/backups/pool.ts';
import { findBackup } from '#server/features/backups/read.ts';
import { startDueBackup } from '#server/features/backups/schedule.ts';
import {
  readBackupStatus,
  recordBackup,
  recordFailure,
  recordVerification,
} from '#server/features/backups/status.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import type { BucketLocation } from '#server/platform/storage/s3/address.ts';
import { readMails } from '#support/members/accounts.ts';
import { makeSite } from '#support/processes/backups.ts';
import { bothDatabases, deleteRows, ruleDatabases } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startS3 } from '#support/processes/s3.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OPERATOR = 'operator@example.test';

describe.each(ruleDatabases)('scheduled backups on $name', (kind) => {
  async function open(bucket?: BucketLocation) {
    const { site, folder, database, members } = await makeSite(kind, bucket);
    await mkdir(site.dataDir, { recursive: true });
    const schedule = { folder: join(folder, 'backups'), everyHours: 6, keep: 1 };
    const clock = createTestClock(Date.now());
    const logged: string[] = [];
    const add = (_: unknown, message: string) => void logged.push(message);
    const work: Promise<void>[] = [];
    const jobs = createBackgroundJobs();
    onTestFinished(() => jobs.close());
    const deps = {
      database,
      clock,
      siteName: site.siteName,
      siteUrl: 'https://site.example',
      logger: { error: add, warn: add, info: add } as never,
      backgroundJobs: {
        ...jobs,
        start: (each: (ending: AbortSignal) => Promise<void>) => {
          jobs.start((ending) => {
            const done = each(ending);
            work.push(done);
            return done;
          });
        },
      },
    };
    // With a low priority, a busy machine can make a backup wait for longer than a test may take.
    const options = { site, schedule, operatorEmail: OPERATOR, niceness: 0 };
    const made = { members, site, folder: schedule.folder, schedule, database, clock, logged, jobs };
    return {
      ...made,
      readStatus: (dataDir = site.dataDir) => readBackupStatus(dataDir, schedule, clock.now()),
      listMade: async () => (await readdir(schedule.folder)).filter((name) => name.startsWith('20')),
      /**
       * Runs the scheduled job, in several processes at once if told, and waits for the backups that it starts. Returns the
       * number of finished backups.
       */
      async run(processes = 1): Promise<number> {
        await Promise.all(Array.from({ length: processes }, () => startDueBackup(deps, options)));
        await Promise.all(work.splice(0));
        const names = await readdir(schedule.folder).catch(() => []);
        return names.filter((name) => name.startsWith('20')).length;
      },
      start: () => startDueBackup(deps, options),
    };
  }

  test('are made when one is due, and verify', async () => {
    const { members, folder, clock, run, readStatus } = await open();
    await members.act();
    await mkdir(folder);
    expect(await run()).toBe(1);
    expect(await verifyBackup(folder, FILE_OWNERS)).toMatchObject({ faults: [] });
    const { lastBackup, failing } = await readStatus();
    expect(lastBackup?.path).toContain(folder);
    expect(failing).toBeNull();
    clock.advance(5 * HOUR_MS + 5 * 60_000);
    expect(await run()).toBe(1);
    const earlier = await makeTwoOfOneDay(folder, await findLatest(folder));
    clock.advance(5 * 60_000);
    // An hour later it would be late. Of an earlier day only the last one is kept, with the files that it refers to.
    expect(await run()).toBe(2);
    expect(await readdir(folder)).not.toContain(earlier);
    expect(await verifyBackup(folder, FILE_OWNERS)).toMatchObject({ faults: [] });
  });

  test('contain the files of a bucket, and verify', async () => {
    const { members, folder, run } = await open((await startS3()).location);
    await members.act();
    await mkdir(folder);
    expect(await run()).toBe(1);
    expect(await verifyBackup(folder, FILE_OWNERS)).toMatchObject({ faults: [] });
    expect((await readdir(join(folder, 'objects'), { recursive: true })).length).toBeGreaterThan(1);
  });

  test('are made by one of several processes of a machine', async () => {
    const { folder, run, logged } = await open();
    await mkdir(folder);
    expect(await run(3)).toBe(1);
    expect(logged).toEqual(['backup made']);
  });

  test('are mailed once when several processes fail at once', async () => {
    const { run, database } = await open();
    expect(await run(3)).toBe(0);
    expect(await readMails(database, OPERATOR)).toHaveLength(1);
  });

  test('are mailed once when they fail, until one succeeds', async () => {
    const { folder, clock, run, database, logged, readStatus } = await open();
    expect(await run()).toBe(0);
    expect(await run()).toBe(0);
    expect(logged).toEqual(['a scheduled backup failed', 'a scheduled backup failed']);
    const [mail, ...others] = await readMails(database, OPERATOR);
    expect(others).toEqual([]);
    expect(mail?.text).toContain(`BACKUP_DIR is not a folder: ${folder}`);
    const status = await readStatus();
    expect(status).toMatchObject({ isOverdue: true, failing: { sinceMs: clock.now() } });
    await mkdir(folder);
    expect(await run()).toBe(1);
    expect(await readStatus()).toMatchObject({ isOverdue: false, failing: null });
    await rm(folder, { recursive: true });
    await run();
    expect(await readMails(database, OPERATOR)).toHaveLength(2);
  });

  test('are restored on trial once a week; a damaged one is mailed, and no older one is deleted for it', async () => {
    const { members, folder, clock, run, database, logged, readStatus, listMade } = await open();
    const verifiedAt = async () => (await readStatus()).lastVerified?.atMs;
    await members.act();
    await mkdir(folder);
    await run();
    const first = clock.now();
    expect(await verifiedAt()).toBe(first);
    clock.advance(6 * DAY_MS);
    await run();
    expect(await verifiedAt()).toBe(first);
    // A disk that lost the content of an object which later backups share.
    const objects = await readdir(join(folder, 'objects'), { recursive: true });
    const path = join(folder, 'objects', objects.find((name) => name.includes('/')) ?? '');
    await writeFile(path, (await readFile(path)).fill(0));
    clock.advance(DAY_MS);
    const before = await listMade();
    await run();
    expect(await readdir(folder)).toEqual(expect.arrayContaining(before));
    expect(await verifiedAt()).toBe(first);
    expect(logged).toContain('a backup cannot be restored as it is');
    const subjects = (await readMails(database, OPERATOR)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringContaining('バックアップに問題があります'));
  });

  test('are recorded once finished, also if another process has the folder before old ones are deleted', async () => {
    const { members, folder, start, run, readStatus, listMade, logged } = await open();
    await members.act();
    await mkdir(folder);
    await start();
    // The lock is free while the new one is verified.
    const holdWhenMade = async (): Promise<number> => {
      await turn();
      if ((await listMade()).length === 0) return holdWhenMade();
      return withScratch(join(folder, '.partial'), () => run(0)).catch((error: unknown) => {
        if (error instanceof PlaceInUse) return holdWhenMade();
        throw error;
      });
    };
    expect(await holdWhenMade()).toBe(1);
    const path = join(folder, (await listMade())[0] ?? '');
    expect(logged).toEqual(['backup made']);
    expect(await readStatus()).toMatchObject({ lastBackup: { path }, lastVerified: { path } });
  });

  test('are known to a machine with another data folder, which makes none before the next is due', async () => {
    const { folder, run, site, readStatus } = await open();
    await mkdir(folder);
    expect(await run()).toBe(1);
    expect(await readdir(site.dataDir)).not.toContain('backup-status.json');
    const status = await readStatus(await makeFolder());
    expect(status).toMatchObject({ isOverdue: false, lastBackup: { path: expect.stringContaining(folder) } });
    expect(status.lastVerified).not.toBeNull();
    expect((await readdir(folder)).filter((name) => name.includes('.claim'))).toEqual([]);
  });

  test('are still known from the data folder, where earlier versions recorded them', async () => {
    const { folder, clock, run, site, readStatus } = await open();
    const [atMs, path] = [clock.now() - DAY_MS, '/before'];
    const before = { lastBackup: { atMs, path, bytes: 1 }, lastVerified: { atMs, path, takenAtMs: atMs } };
    await writeFile(join(site.dataDir, 'backup-status.json'), JSON.stringify(before));
    const failing = JSON.stringify({ sinceMs: atMs, message: 'full' });
    await writeFile(join(site.dataDir, 'backup-failing.json'), failing);
    expect(await readStatus()).toMatchObject({ ...before, failing: { message: 'full' } });
    await mkdir(folder);
    await run();
    expect(await readStatus()).toMatchObject({
      lastBackup: { path: expect.stringContaining(folder) },
      lastVerified: before.lastVerified,
      failing: null,
    });
  });

  test('that fail on one machine are mailed once for all of them, and end with a success of any', async () => {
    const { clock, schedule, folder, readStatus } = await open();
    await mkdir(folder);
    const [one, other] = [await makeFolder(), await makeFolder()];
    expect(await recordFailure(one, schedule, 'full', clock.now())).toBe(true);
    expect(await recordFailure(other, schedule, 'full', clock.now())).toBe(false);
    await recordBackup(other, schedule, { atMs: clock.now() + 1, path: folder, bytes: 1 }, clock.now() + 9);
    expect((await readStatus(one)).failing).toBeNull();
    // One machine has lost the folder, and says so until a backup is made by any.
    await rm(folder, { recursive: true });
    expect(await recordFailure(one, schedule, 'gone', clock.now() + 2)).toBe(true);
    await mkdir(folder);
    await recordBackup(other, schedule, { atMs: clock.now() + 3, path: folder, bytes: 1 }, clock.now() + 9);
    expect((await readStatus(one)).failing).toBeNull();
  });

  test('are due, kept and verified whatever a clock that was ahead has left', async () => {
    const { members, folder, clock, run, site, schedule, logged, readStatus, listMade } = await open();
    await members.act();
    await mkdir(folder);
    const aheadMs = clock.now() + 60 * DAY_MS;
    const made = await createBackup(site, `${folder}/`, { withKeys: false });
    const future = [toBackupName(aheadMs), '2026-99-99T00-00-00.000Z'];
    await rename(made.path, join(folder, future[0] ?? ''));
    await cp(join(folder, future[0] ?? ''), join(folder, future[1] ?? ''), { recursive: true });
    const path = join(folder, future[0] ?? '');
    await recordBackup(site.dataDir, schedule, { atMs: aheadMs, path, bytes: 1 }, aheadMs);
    await recordVerification(site.dataDir, schedule, { atMs: aheadMs, path, takenAtMs: aheadMs });
    expect(await readStatus()).toMatchObject({ isOverdue: true, lastBackup: null, lastVerified: null });

    expect(await run()).toBe(3);
    const first = (await listMade()).find((name) => !future.includes(name)) ?? '';
    expect(await readStatus()).toMatchObject({
      isOverdue: false,
      lastBackup: { path: join(folder, first) },
      lastVerified: { path: join(folder, first) },
    });
    expect(logged).toContainEqual(expect.stringContaining('backups are dated later than now'));
    expect((await findBackup(folder)).path).toBe(join(folder, first));
    clock.advance(5 * HOUR_MS);
    await run();
    expect(await listMade()).toContain(first);
    const earlier = await makeTwoOfOneDay(folder, first);
    clock.advance(HOUR_MS);
    // None that is dated later is deleted.
    expect(await run()).toBe(4);
    expect(await listMade()).toEqual(expect.arrayContaining(future));
    expect(await listMade()).not.toContain(earlier);
  });

  test('end with the server, which is no failure', async () => {
    const { folder, logged, jobs, start, readStatus } = await open();
    await mkdir(folder);
    await start();
    await jobs.close();
    expect(logged).toEqual([]);
    expect(await readStatus()).toMatchObject({ failing: null });
  });
});

async function findLatest(folder: string): Promise<string> {
  return (await readdir(folder)).findLast((name) => name.startsWith('20')) ?? '';
}

/** Dates a backup ten days back, and adds a copy that is an hour older, whose name it returns. */
async function makeTwoOfOneDay(folder: string, name: string): Promise<string> {
  const middayMs = Math.floor(Date.now() / DAY_MS - 10) * DAY_MS + 12 * HOUR_MS;
  const [last, earlier] = [toBackupName(middayMs), toBackupName(middayMs - HOUR_MS)];
  await rename(join(folder, name), join(folder, last));
  await cp(join(folder, last), join(folder, earlier), { recursive: true });
  return earlier;
}

describe('a backup folder', () => {
  const kind = bothDatabases[0];
  if (kind === undefined) throw new Error('no database');

  test('loses what no kept backup refers to, and what a killed process has left', async () => {
    const { site, folder, members, database } = await makeSite(kind);
    const backups = `${folder}/backups/`;
    const { soundId } = await members.act();
    const old = await createBackup(site, backups, { withKeys: false });
    await deleteRows(database, 'sounds', { id: soundId });
    await rm(join(site.dataDir, 'files/sounds'), { recursive: true });
    await mkdir(join(backups, 'objects/aa'), { recursive: true });
    await writeFile(join(backups, 'objects/aa/leftover'), '');
    await createBackup(site, backups, { withKeys: false });
    await deleteBackups(backups, [toBackupName(old.manifest.takenAtMs)]);
    expect(await verifyBackup(backups, FILE_OWNERS)).toMatchObject({ faults: [] });
    const objects = await readdir(join(backups, 'objects'), { recursive: true });
    expect(objects.filter((name) => name.includes('/'))).toEqual([]);
  });

  test('is not written by two processes at once, and not blocked by one that was killed', async () => {
    const { site, folder } = await makeSite(kind);
    const scratch = join(folder, 'backups/.partial');
    await mkdir(scratch, { recursive: true });
    const own = (pid: number, host = hostname()) =>
      writeFile(join(scratch, 'owner.json'), JSON.stringify({ host, space: readProcessSpace(), pid }));
    const isIdleFor = (minutes: number) => {
      const touched = new Date(Date.now() - minutes * 60_000);
      return utimes(join(scratch, 'owner.json'), touched, touched);
    };
    const create = () => createBackup(site, `${folder}/backups/`, { withKeys: false });
    await own(process.pid);
    await isIdleFor(60); // copying a large database
    await expect(create()).rejects.toThrow(/another backup is being written/);
    await own(2 ** 22 + 1); // above the highest pid of Linux
    await create();
    await mkdir(scratch);
    await own(process.pid, 'another machine');
    await expect(create()).rejects.toThrow(/another backup is being written/);
    await isIdleFor(6);
    await create();
  });

  test('is not taken from a container with the same host name, whose process ids are others', async () => {
    const { site, folder } = await makeSite(kind);
    const scratch = join(folder, 'backups/.partial');
    await mkdir(scratch, { recursive: true });
    const owner = { host: hostname(), space: 'boot pid:[1]', pid: 2 ** 22 + 1 };
    await writeFile(join(scratch, 'owner.json'), JSON.stringify(owner));
    const create = () => createBackup(site, `${folder}/backups/`, { withKeys: false });
    await expect(create()).rejects.toThrow(/another backup is being written/);
    const touched = new Date(Date.now() - 6 * 60_000);
    await utimes(join(scratch, 'owner.json'), touched, touched);
    await create();
  });

  test('needs space for what is new, before anything is written', async () => {
    const { site, folder, members } = await makeSite(kind);
    await members.act();
    const target = join(folder, 'a.tar');
    const measureFree = () => Promise.resolve(300_000_000);
    const little = { withKeys: false, measureFree: () => Promise.resolve(1_000_000) };
    await expect(createBackup(site, target, little)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(folder)).not.toContain('a.tar');
    expect(await readdir(folder)).not.toContain('a.tar.partial');
    await createBackup(site, target, { withKeys: false, measureFree });
  });

  test('may not be in the data folder', async () => {
    const { site } = await makeSite(kind);
    const made = createBackup(site, join(site.dataDir, 'a.tar'), { withKeys: false });
    await expect(made).rejects.toThrow(/in the data folder/);
  });
});
