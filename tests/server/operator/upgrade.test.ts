import { spawnSync, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '#server/platform/database/migrate.ts';
import type { Migration } from '#server/platform/database/migration.ts';
import { listPending, openDatabase } from '#server/platform/database/open.ts';
import { upgradeData } from '#server/operator/upgrade.ts';
import type { UpgradeOptions } from '#server/operator/upgrade.ts';
import { runOperator } from '#server/operator/run.ts';
import { parseSettings } from '#server/settings.ts';
import { bothDatabases, locateEmptyDatabase } from '#support/databases/databases.ts';
import { depth, isSoak } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';

const PROCESS = new URL('../../support/processes/hanging/upgrade-and-hang.ts', import.meta.url);
/** The schema of the first version of the program, which had no log-in yet. */
const FIRST = MIGRATIONS.slice(0, 2);
/** With the ledger. */
const BOOKS = MIGRATIONS.slice(0, 5);
const SOUNDS = 300;
const last = MIGRATIONS.at(-1)?.name ?? '';

/** Data of a version with these migrations: an artist and published sounds. No connection stays open. */
async function makeOldSite(
  locateEmpty: (typeof bothDatabases)[number]['locateEmpty'],
  migrations: readonly Migration[] = FIRST,
) {
  const place = await locateEmpty();
  const env = { DATA_DIR: join(await makeFolder(), 'data'), ...place.env };
  const settings = parseSettings(env);
  const database = await openDatabase(settings.database, { migrations });
  const { db } = database;
  await sql`insert into users (id, username, username_key, email, email_key, created_at)
    values ('artist', 'artist', 'artist', 'a@example.test', 'a@example.test', 1)`.execute(db);
  await sql`insert into sound_types (name) values ('BGM')`.execute(db);
  await db.transaction().execute(async (transaction) => {
    for (let index = 0; index < SOUNDS; index += 1) {
      await sql`insert into sounds (id, artist_id, type_id, title, audio_key, audio_mime, audio_size, created_at, updated_at)
        values (${`sound-${index}`}, 'artist', 1, ${`音 ${index}`}, ${`key-${index}`}, 'audio/mpeg', 1, ${index}, ${index})`.execute(
        transaction,
      );
    }
  });
  await database.close();
  onTestFinished(() => place.remove());
  const lines: string[] = [];
  const upgrade = (options: Partial<UpgradeOptions> = {}) =>
    upgradeData(settings, {
      hasRestorePoint: settings.database.kind === 'sqlite',
      signal: new AbortController().signal,
      print: (line) => void lines.push(line),
      ...options,
    });
  const readTitles = async (known: readonly Migration[] = MIGRATIONS) => {
    const opened = await openDatabase(settings.database, { access: 'read', migrations: known });
    const rows = await opened.db.selectFrom('sounds').select('title').orderBy('seq').execute();
    await opened.close();
    return rows.map(({ title }) => title);
  };
  const run = async (...args: string[]) => {
    const said: string[] = [];
    const terminal = {
      print: (text: string) => void said.push(text),
      printError: (text: string) => void said.push(text),
    };
    const code = await runOperator(['upgrade', ...args], env, terminal);
    return { code, said: said.join('\n') };
  };
  return { env, settings, lines, upgrade, readTitles, run, migrations };
}

const TITLES = Array.from({ length: SOUNDS }, (_, index) => `音 ${index}`);

/** All migrations, and one that does half of its work before it fails. */
const withBroken: readonly Migration[] = [
  ...MIGRATIONS,
  {
    name: '9999-broken',
    async up(db) {
      await sql`update sounds set title = 'lost'`.execute(db);
      throw new Error('no such column');
    },
  },
];
/** All migrations, and one after which balances do not follow from the entries. */
const withWrongBooks: readonly Migration[] = [
  ...MIGRATIONS,
  {
    name: '9999-wrong-books',
    up: async (db) =>
      void (await sql`update ledger_accounts set balance = 5 where id = 'rewards'`.execute(db)),
  },
];

describe.each(bothDatabases)('upgrading on $name', ({ name, locateEmpty, rule }) => {
  const allowed = name === 'postgres' ? ['--without-restore-point'] : [];

  test('migrates the data of the first version, once', async () => {
    const { run, readTitles } = await makeOldSite(locateEmpty);
    const first = await run(...allowed);
    expect(first).toEqual({ code: 0, said: expect.stringContaining(`Migrating: ${last}`) });
    expect(first.said).toContain('Start the server.');
    expect(await readTitles()).toEqual(TITLES);
    expect(await run(...allowed)).toEqual({
      code: 0,
      said: expect.stringContaining('already of this version'),
    });
  });

  test.each([
    ['a migration that fails half-way', withBroken, 'no such column'],
    ['a migration that breaks the ledger', withWrongBooks, 'the ledger is inconsistent'],
  ])('leaves the data as it was after %s', async (_, migrations, message) => {
    const { settings, upgrade, readTitles } = await makeOldSite(locateEmpty);
    await expect(upgrade({ migrations })).rejects.toThrow(message);
    const pending = await listPending(settings.database);
    expect(pending).toEqual(MIGRATIONS.slice(FIRST.length).map((migration) => migration.name));
    expect(await readTitles(FIRST)).toEqual(TITLES);
    expect(await upgrade()).toBe(true);
    expect(await readTitles()).toEqual(TITLES);
  });

  rule('leaves the data as it was when it is interrupted before the end of its transaction', async () => {
    const { upgrade, readTitles } = await makeOldSite(locateEmpty);
    const ending = new AbortController();
    const onStage = (stage: string) =>
      stage === 'verify' ? ending.abort(new Error('interrupted')) : undefined;
    await expect(upgrade({ signal: ending.signal, onStage })).rejects.toThrow(
      'as it was before: interrupted',
    );
    expect(await readTitles(FIRST)).toEqual(TITLES);
  });

  test('refuses while another program uses the database, and changes nothing', async () => {
    const { settings, upgrade, readTitles } = await makeOldSite(locateEmpty);
    const server = await openDatabase(settings.database, { migrations: FIRST });
    await server.db.selectFrom('sounds').select('seq').limit(1).execute();
    // A server asks every two seconds; an idle connection of a pool ends after ten.
    await expect(upgrade()).rejects.toThrow(/stop the server/);
    await server.close();
    expect(await readTitles(FIRST)).toEqual(TITLES);
  });

  test('survives a kill in every stage', async () => {
    // PostgreSQL has no restore point, and undoes a transaction whose client has gone, in whichever stage.
    const stages =
      name === 'postgres'
        ? depth(['migrate'], ['migrate', 'verify', 'health'])
        : ['restore-point', 'migrate', 'verify', 'health'];
    for (const stage of stages) {
      const site = await makeOldSite(locateEmpty);
      const child = fork(PROCESS, [stage], { env: { ...process.env, ...site.env }, stdio: 'ignore' });
      for (;;) if (((await once(child, 'message')) as [string])[0] === stage) break;
      child.kill('SIGKILL');
      await once(child, 'exit');
      if (name === 'sqlite' && stage !== 'restore-point') {
        await expect(openDatabase(site.settings.database)).rejects.toThrow('npm run operator -- upgrade');
      }
      await site.upgrade();
      expect(await site.readTitles()).toEqual(TITLES);
      await (await openDatabase(site.settings.database)).close();
    }
  }, 120_000);

  test.runIf(isSoak)(
    'survives kills at any time',
    async () => {
      for (let turn = 0; turn < 50; turn += 1) {
        const site = await makeOldSite(locateEmpty);
        const child = fork(PROCESS, [], { env: { ...process.env, ...site.env }, stdio: 'ignore' });
        const exited = once(child, 'exit');
        await Promise.race([once(child, 'message'), exited]);
        await wait(Math.random() * 150);
        child.kill('SIGKILL');
        await exited;
        const old = await site.readTitles(FIRST).catch(() => undefined);
        expect(old ?? (await site.readTitles())).toEqual(TITLES);
        await site.upgrade();
        expect(await site.readTitles()).toEqual(TITLES);
      }
    },
    900_000,
  );
});

describe('upgrading SQLite', () => {
  const locateEmpty = () => locateEmptyDatabase('sqlite');

  test('keeps a restore point that only its owner can read, with the data of before', async () => {
    const { settings, upgrade } = await makeOldSite(locateEmpty, BOOKS);
    await upgrade();
    const file = `${(settings.database as { file: string }).file}.restore-point`;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await listPending({ kind: 'sqlite', file })).toContain(last);
  });

  test('puts the restore point back when the migrated database is not healthy', async () => {
    const { settings, upgrade, readTitles, lines } = await makeOldSite(locateEmpty, BOOKS);
    const { file } = settings.database as { file: string };
    const onStage = (stage: string) => {
      if (stage !== 'health') return;
      const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
      database.exec('delete from users');
      database.close();
    };
    await expect(upgrade({ onStage })).rejects.toThrow(/as it was before.*database integrity/s);
    expect(lines).toContain('The restore point is put back.');
    expect(await readTitles(BOOKS)).toEqual(TITLES);
    expect([`${file}.upgrading`, `${file}-wal`].filter((path) => existsSync(path))).toEqual([]);
    expect(await upgrade()).toBe(true);
  });

  test('keeps what the version before has written after an interrupted upgrade', async () => {
    const { env, settings, upgrade, readTitles } = await makeOldSite(locateEmpty);
    const child = fork(PROCESS, ['migrate'], { env: { ...process.env, ...env }, stdio: 'ignore' });
    for (;;) if (((await once(child, 'message')) as [string])[0] === 'migrate') break;
    child.kill('SIGKILL');
    await once(child, 'exit');
    const database = new DatabaseSync((settings.database as { file: string }).file);
    database.exec(`update sounds set title = '新しい題' where id = 'sound-0'`);
    database.close();
    await upgrade();
    expect((await readTitles())[0]).toBe('新しい題');
  });
});

describe('upgrading PostgreSQL', () => {
  const locateEmpty = () => locateEmptyDatabase('postgres');

  test('dumps the database first, or asks for an upgrade without a restore point', async () => {
    const { env, run, readTitles } = await makeOldSite(locateEmpty);
    const { code, said } = await run();
    const dump = join(env.DATA_DIR, 'database.restore-point');
    if (code === 0) {
      expect(statSync(dump).mode & 0o777).toBe(0o600);
      const listed = spawnSync('pg_restore', ['--list', dump], { encoding: 'utf8' });
      expect(listed.stdout).toContain('TABLE DATA public sounds');
      return;
    }
    // No pg_dump here, or one of another version.
    expect(said).toContain('--without-restore-point');
    expect(await readTitles(FIRST)).toEqual(TITLES);
  });

  test('leaves no dump in a data folder that is not kept', async () => {
    const { settings, readTitles } = await makeOldSite(locateEmpty);
    const places = parseSettings({
      DATA_DIR: settings.dataDir,
      DATABASE_URL: 'postgres://db/oto',
      STORAGE_URL: 's3://key:secret@storage.example/bucket',
      SECRET_KEY: randomBytes(32).toString('base64'),
      PERSONAL_INFO_PUBLIC_KEY: 'MCowBQYDK2VuAyEAfRSnPshazrGikcPCfupZRVPmaIQMHK0cBIo671YgChM=',
      SMTP_URL: 'smtp://mail',
    });
    const options = { hasRestorePoint: true, signal: new AbortController().signal, print: () => undefined };
    const upgrading = upgradeData({ ...places, database: settings.database }, options);
    await expect(upgrading).rejects.toThrow(/set BACKUP_DIR .*--without-restore-point/);
    expect(await readTitles(FIRST)).toEqual(TITLES);
  });
});
