import { mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createBackup } from '../../../../server/features/backups/create.ts';
import { deleteBackups, toBackupName } from '../../../../server/features/backups/pool.ts';
import { startDueBackup } from '../../../../server/features/backups/schedule.ts';
import { readBackupStatus } from '../../../../server/features/backups/status.ts';
import { verifyBackup } from '../../../../server/features/backups/verify.ts';
import { createBackgroundJobs } from '../../../../server/platform/concurrency/background-jobs.ts';
import { createTestClock } from '../../../../server/platform/concurrency/clock.ts';
import { readMails } from '../../../support/accounts.ts';
import { makeSite } from '../../../support/backups.ts';
import { databases, everyDatabase } from '../../../support/databases.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OPERATOR = 'operator@example.test';

describe.each(databases)('scheduled backups on $name', (kind) => {
  async function open() {
    const { site, folder, database, members } = await makeSite(kind);
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
    const options = { site, schedule, operatorEmail: OPERATOR };
    return {
      members,
      site,
      folder: schedule.folder,
      schedule,
      database,
      clock,
      logged,
      jobs,
      /** Runs the scheduled job, and waits for the backup that it starts. Returns the number of finished backups. */
      async run(): Promise<number> {
        await startDueBackup(deps, options);
        await Promise.all(work.splice(0));
        return (await readdir(schedule.folder).catch(() => [])).filter((name) => name.startsWith('20'))
          .length;
      },
      start: () => startDueBackup(deps, options),
    };
  }

  test('are made when one is due, and verify', async () => {
    const { members, folder, clock, run, site, schedule } = await open();
    await members.act();
    await mkdir(folder);
    expect(await run()).toBe(1);
    expect(await verifyBackup(folder)).toMatchObject({ faults: [] });
    const { lastBackup, failing } = await readBackupStatus(site.dataDir, schedule, clock.now());
    expect(lastBackup?.path).toContain(folder);
    expect(failing).toBeNull();
    clock.advance(5 * HOUR_MS);
    expect(await run()).toBe(1);
    clock.advance(HOUR_MS);
    // Of the same day only the newest is kept, with the files that it refers to.
    expect(await run()).toBe(1);
    expect(await verifyBackup(folder)).toMatchObject({ faults: [] });
  });

  test('are mailed once when they fail, until one succeeds', async () => {
    const { folder, clock, run, database, logged, site, schedule } = await open();
    expect(await run()).toBe(0);
    expect(await run()).toBe(0);
    expect(logged).toEqual(['a scheduled backup failed', 'a scheduled backup failed']);
    const [mail, ...others] = await readMails(database, OPERATOR);
    expect(others).toEqual([]);
    expect(mail?.text).toContain(`BACKUP_DIR is not a folder: ${folder}`);
    const status = await readBackupStatus(site.dataDir, schedule, clock.now());
    expect(status).toMatchObject({ isOverdue: true, failing: { sinceMs: clock.now() } });
    await mkdir(folder);
    expect(await run()).toBe(1);
    expect(await readBackupStatus(site.dataDir, schedule, clock.now())).toMatchObject({
      isOverdue: false,
      failing: null,
    });
    await rm(folder, { recursive: true });
    await run();
    expect(await readMails(database, OPERATOR)).toHaveLength(2);
  });

  test('are restored on trial once a week; a damaged one is mailed, and no older one is deleted for it', async () => {
    const { members, folder, clock, run, database, logged, site } = await open();
    const verifiedAt = async () =>
      (await readBackupStatus(site.dataDir, null, clock.now())).lastVerified?.atMs;
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
    const before = (await readdir(folder)).filter((name) => name.startsWith('20'));
    await run();
    expect(await readdir(folder)).toEqual(expect.arrayContaining(before));
    expect(await verifiedAt()).toBe(first);
    expect(logged).toContain('a backup cannot be restored as it is');
    const subjects = (await readMails(database, OPERATOR)).map(({ subject }) => subject);
    expect(subjects).toContainEqual(expect.stringContaining('バックアップに問題があります'));
  });

  test('end with the server, which is no failure', async () => {
    const { folder, logged, jobs, start, site, clock } = await open();
    await mkdir(folder);
    await start();
    await jobs.close();
    expect(logged).toEqual([]);
    expect(await readBackupStatus(site.dataDir, null, clock.now())).toMatchObject({ failing: null });
  });
});

describe('a backup folder', () => {
  const kind = everyDatabase[0];
  if (kind === undefined) throw new Error('no database');

  test('loses what no kept backup refers to, and what a killed process has left', async () => {
    const { site, folder, members, database } = await makeSite(kind);
    const backups = `${folder}/backups/`;
    const { soundId } = await members.act();
    const old = await createBackup(site, backups, { withKeys: false });
    await database.db.deleteFrom('sounds').where('id', '=', soundId).execute();
    await rm(join(site.dataDir, 'files/sounds'), { recursive: true });
    await mkdir(join(backups, 'objects/aa'), { recursive: true });
    await writeFile(join(backups, 'objects/aa/leftover'), '');
    await createBackup(site, backups, { withKeys: false });
    await deleteBackups(backups, [toBackupName(old.manifest.takenAtMs)]);
    expect(await verifyBackup(backups)).toMatchObject({ faults: [] });
    const objects = await readdir(join(backups, 'objects'), { recursive: true });
    expect(objects.filter((name) => name.includes('/'))).toEqual([]);
  });

  test('is not written by two processes at once, and not blocked by one that was killed', async () => {
    const { site, folder } = await makeSite(kind);
    const scratch = join(folder, 'backups/.partial');
    await mkdir(scratch, { recursive: true });
    const own = (pid: number, host = hostname()) =>
      writeFile(join(scratch, 'owner.json'), JSON.stringify({ host, pid }));
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

  test('needs space for what is new, before anything is written', async () => {
    const { site, folder, members } = await makeSite(kind);
    await members.act();
    const target = join(folder, 'a.tar');
    const measureFree = () => Promise.resolve(300_000_000);
    const made = createBackup(site, target, {
      withKeys: false,
      measureFree: () => Promise.resolve(1_000_000),
    });
    await expect(made).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(folder)).not.toContain('a.tar');
    expect(await readdir(folder)).not.toContain('a.tar.partial');
    await createBackup(site, target, { withKeys: false, measureFree });
  });

  test('may not be in the data folder', async () => {
    const { site } = await makeSite(kind);
    await expect(createBackup(site, join(site.dataDir, 'a.tar'), { withKeys: false })).rejects.toThrow(
      /in the data folder/,
    );
  });
});
