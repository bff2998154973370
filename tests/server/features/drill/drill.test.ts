import { cp, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FEATURES } from '#server/features.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { saveErasures } from '#server/features/backups/erasures.ts';
import { toPoolPath } from '#server/features/backups/pool.ts';
import { readBackupStatus } from '#server/features/backups/status.ts';
import { queueMail } from '#server/features/mail/service.ts';
import { drillLatest } from '#server/features/drill/rehearsal.ts';
import { startDueDrill } from '#server/features/drill/schedule.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import {
  bothDatabases,
  insertRow,
  listRows,
  ruleDatabases,
  updateRows,
} from '#support/databases/databases.ts';
import { readMails } from '#support/members/accounts.ts';
import { makeSite, readRows } from '#support/processes/backups.ts';
import { runCommand } from '#support/processes/operator.ts';

const DAY_MS = 86_400_000;
const OPERATOR = 'operator@example.test';
/** Each drill is a process that restores a site. */
const DRILLS_MS_MAX = 120_000;

async function open(kind: (typeof bothDatabases)[number]) {
  const made = await makeSite(kind);
  const folder = join(made.folder, 'backups');
  const back = async () => {
    // `addPayee` leaves them verified without an ID, which the doctor reports.
    const { db } = made.database;
    await updateRows(
      { db },
      'users',
      { personal_info_status: 'confirmed' },
      { is_personal_info_verified: 1 },
    );
    return createBackup(made.site, `${folder}/`, { withKeys: false });
  };
  return { ...made, folder, back };
}

const listFiles = async (folder: string) => (await readdir(folder, { recursive: true })).toSorted();

describe.each(bothDatabases)('a restore on trial on $name', (kind) => {
  test('succeeds for a whole backup, is deleted, and changes nothing of the site', async () => {
    const { site, folder, database, members, back } = await open(kind);
    await members.act();
    const { soundId } = await members.act();
    const mail = { to: 'a@example.test', subject: 'x', text: 'x', html: '<p>x</p>' };
    await queueMail(database.db, mail, Date.now());
    const { path } = await back();
    // What a start would erase from its storage.
    await updateRows(database, 'sounds', { deleted_at: 1, is_published: 0 }, { id: soundId });
    await insertRow(database, 'erasures', { id: soundId, kind: 'sound', erased_at: Date.now() });
    await saveErasures({ database, clock: { now: Date.now } }, folder);
    const before = {
      rows: await readRows(site.database, join(folder, '..')),
      files: await listFiles(site.dataDir),
      backups: await listFiles(folder),
    };
    const drill = await drillLatest(folder, FEATURES);
    expect(drill).toEqual({ atMs: expect.any(Number), path, tookMs: expect.any(Number), fault: null });
    expect(before).toEqual({
      rows: await readRows(site.database, join(folder, '..')),
      files: await listFiles(site.dataDir),
      backups: await listFiles(folder),
    });
  });
});

describe.each(ruleDatabases)('a restore on trial of a rule on $name', (kind) => {
  test('succeeds for a site without sounds', async () => {
    const { folder, back } = await open(kind);
    await back();
    expect(await drillLatest(folder, FEATURES)).toMatchObject({ fault: null });
  });

  test('says what is wrong: a damaged file, a row that was changed, too little room', async () => {
    const { site, folder, database, members, back } = await open(kind);
    await members.act();
    await back();
    expect((await drillLatest(folder, FEATURES, () => Promise.resolve(1_000))).fault).toMatch(
      /has 1000 bytes free, \d+ are needed/,
    );
    await updateRows(database, 'sounds', { favorite_count: 1_000 });
    const { path } = await back();
    expect(await drillLatest(folder, FEATURES)).toMatchObject({
      path,
      fault: expect.stringContaining('counters:'),
    });

    const lines = (await readFile(join(path, 'SHA256SUMS'), 'utf8')).split('\n');
    const line = lines.find((each) => each.includes('data/files/sounds/'));
    await writeFile(toPoolPath(folder, line?.slice(0, 64) ?? ''), 'damaged');
    expect(await drillLatest(folder, FEATURES)).toMatchObject({ fault: expect.stringContaining('damaged') });
    expect(await listFiles(folder)).not.toContain('drill.partial');
    expect(await listFiles(site.dataDir)).not.toContain('backup-status.json');
  });

  test('has nothing to try without a backup', async () => {
    const { folder } = await open(kind);
    await mkdir(folder);
    await expect(drillLatest(folder, FEATURES)).rejects.toThrow('has no backup');
  });

  test('removes what a killed one has left', async () => {
    const { folder, back } = await open(kind);
    await back();
    const left = join(folder, 'drill.partial');
    await mkdir(join(left, 'data/files'), { recursive: true });
    await writeFile(join(left, 'owner.json'), JSON.stringify({ host: '?', space: '', pid: 1 }));
    await rm(join(left, 'owner.json'));
    expect(await drillLatest(folder, FEATURES)).toMatchObject({ fault: null });
    expect(await readdir(folder)).not.toContain('drill.partial');
  });

  test('is made by command, which records it, and is known to `operator backup`', async () => {
    const { env, folder, members, back } = await open(kind);
    await members.act();
    const { path } = await back();
    const withFolder = { ...env, BACKUP_DIR: folder };
    const made = await runCommand(withFolder, 'backup', 'drill');
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^Restored on trial: .*, \d+ s$/m) });
    const { lastDrill } = JSON.parse((await runCommand(withFolder, 'backup', '--json')).out) as {
      lastDrill: unknown;
    };
    expect(lastDrill).toMatchObject({ path, fault: null });
    expect((await runCommand(env, 'backup', 'drill')).err).toContain('BACKUP_DIR is not set');
  });
});

describe.each(ruleDatabases)('scheduled drills on $name', (kind) => {
  async function schedule() {
    const made = await open(kind);
    const { site, folder, database } = made;
    await mkdir(folder);
    await mkdir(site.dataDir, { recursive: true });
    const clock = createTestClock(Date.now());
    const logged: string[] = [];
    const add = (_: unknown, message: string) => void logged.push(message);
    const jobs = createBackgroundJobs();
    onTestFinished(() => jobs.close());
    const work: Promise<void>[] = [];
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
    const backups = { folder, everyHours: 24, keep: 7 };
    const options = { site, schedule: backups, everyDays: 30, operatorEmail: OPERATOR, niceness: 0 };
    return {
      ...made,
      clock,
      logged,
      jobs,
      readDrill: async () => (await readBackupStatus(site.dataDir, backups, clock.now())).lastDrill,
      start: (more: object = {}) => startDueDrill(deps, { ...options, ...more }),
      async run(more: object = {}) {
        await startDueDrill(deps, { ...options, ...more });
        await Promise.all(work.splice(0));
      },
    };
  }

  test('run once there is a backup, and every 30 days', { timeout: DRILLS_MS_MAX }, async () => {
    const { back, clock, run, readDrill, logged, database } = await schedule();
    await run();
    expect(await readDrill()).toBeNull();
    await back();
    await run({ everyDays: 0 });
    expect(await readDrill()).toBeNull();
    await run();
    const first = clock.now();
    expect(await readDrill()).toMatchObject({ atMs: first, fault: null });
    clock.advance(29 * DAY_MS);
    await run();
    expect(await readDrill()).toMatchObject({ atMs: first });
    clock.advance(DAY_MS);
    await run();
    expect(await readDrill()).toMatchObject({ atMs: clock.now() });
    expect(logged).toEqual(['a backup was restored on trial', 'a backup was restored on trial']);
    const [row] = await listRows(database, 'backup_places', {}, ['state']);
    expect(JSON.parse(row?.state ?? '')).toMatchObject({ lastDrill: { atMs: clock.now() } });
  });

  test('are mailed once when they fail, and repeated after a day', { timeout: DRILLS_MS_MAX }, async () => {
    const { back, clock, run, readDrill, folder, database } = await schedule();
    const { path } = await back();
    const away = join(folder, '..', 'database');
    await cp(join(path, 'database'), away, { recursive: true });
    await rm(join(path, 'database'), { recursive: true });
    await mkdir(join(path, 'database'));
    await run();
    expect((await readDrill())?.fault).toMatch(/missing/);
    clock.advance(DAY_MS);
    await run();
    expect(await readDrill()).toMatchObject({ atMs: clock.now() });
    const mails = await readMails(database, OPERATOR);
    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringContaining('復元の訓練に失敗しました'),
    ]);
    await rm(join(path, 'database'), { recursive: true });
    await cp(away, join(path, 'database'), { recursive: true });
    clock.advance(DAY_MS);
    await run();
    expect(await readDrill()).toMatchObject({ fault: null });
  });

  test('end with the server, which is no failure', async () => {
    const { back, start, jobs, readDrill, logged, folder } = await schedule();
    await back();
    await start();
    await jobs.close();
    expect(logged).toEqual([]);
    expect(await readDrill()).toBeNull();
    expect(await drillLatest(folder, FEATURES)).toMatchObject({ fault: null });
  });
});
