import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { runOperator } from '#server/operator/run.ts';
import { type UpgradeOptions, upgradeData } from '#server/operator/upgrade.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import { listPending } from '#server/platform/database/open.ts';
import { openDatabase } from '#server/schema/open.ts';
import { parseSettings } from '#server/settings.ts';
import { bothDatabases, locateEmptyDatabase } from '#support/databases/databases.ts';
import { NEXT_VERSION, toNextVersion } from '#support/databases/next-version.ts';
import { isSoak } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';
import { fillGenerated } from '../features/catalogue/generated.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const PROCESS = new URL('../../support/processes/hanging/upgrade-and-hang.ts', import.meta.url);

/** Data of this version, with published sounds. No connection stays open. */
async function makeSite({ locate }: Pick<(typeof bothDatabases)[number], 'locate'>) {
  const place = await locate();
  onTestFinished(() => place.remove());
  const folder = await makeFolder();
  const backups = join(folder, 'backups');
  await mkdir(backups);
  const env = { DATA_DIR: join(folder, 'data'), BACKUP_DIR: backups, ...place.env };
  const settings = parseSettings(env);
  const database = await openDatabase(settings.database);
  await fillGenerated(database, 100);
  await database.close();
  const lines: string[] = [];
  const upgrade = (options: Partial<UpgradeOptions> = {}) =>
    upgradeData(settings, {
      backupTo: '',
      migrations: NEXT_VERSION,
      print: (line) => void lines.push(line),
      ...options,
    });
  const readTitles = async () => {
    const { db, close } = await openDatabase(settings.database, { access: 'read' });
    const rows = await everyTable(db).selectFrom('sounds').select('title').orderBy('seq').execute();
    await close();
    return rows.map(({ title }) => title);
  };
  const titles = await readTitles();
  /** Whether the data are as they were, or those of the next version. */
  const readVersion = async () => {
    expect(await readTitles()).toEqual(titles);
    return (await listPending(settings.database, NEXT_VERSION)).names.length === 0 ? 'next' : 'before';
  };
  const run = async (...args: string[]) => {
    const said: string[] = [];
    const print = (text: string) => void said.push(text);
    const code = await runOperator(['upgrade', ...args], env, { print, printError: print });
    return { code, said: said.join('\n') };
  };
  return { env, settings, backups, folder, lines, upgrade, readVersion, run };
}

describe.each(bothDatabases)('upgrading on $name', ({ name, locate, locateEmpty, rule }) => {
  test('makes a backup and migrates, once', async () => {
    const { backups, upgrade, readVersion, lines, run } = await makeSite({ locate });
    expect(await upgrade()).toBe(true);
    expect(await readVersion()).toBe('next');
    expect(lines).toContain('Migrating: 9999-next');
    expect(await verifyBackup(backups, FILE_OWNERS)).toMatchObject({
      manifest: { migrations: { length: MIGRATIONS.length } },
    });
    const made = await readdir(backups);
    expect(await upgrade()).toBe(false);
    expect(await readdir(backups)).toEqual(made);
    expect(await run()).toEqual({ code: 0, said: 'The data is already of this version.' });
  });

  test.each([
    [
      'a migration that fails half-way',
      'no such column',
      toNextVersion(async (db) => {
        await sql`update sounds set title = 'lost'`.execute(db);
        throw new Error('no such column');
      }),
    ],
    [
      'a migration after which balances do not follow from the entries',
      'the ledger is inconsistent',
      toNextVersion(
        async (db) =>
          void (await sql`update ledger_accounts set balance = 5 where id = 'rewards'`.execute(db)),
      ),
    ],
    [
      'a migration that leaves rows without those they refer to',
      'rows refer to rows that do not exist',
      toNextVersion(async (db, dialect) => {
        const lax = {
          sqlite: 'pragma defer_foreign_keys = on',
          postgres: 'set session_replication_role = replica',
        };
        await sql.raw(lax[dialect]).execute(db);
        await sql`delete from sound_types`.execute(db);
      }),
    ],
  ])('leaves the data as it was after %s', async (_, message, migrations) => {
    const { upgrade, readVersion } = await makeSite({ locate });
    await expect(upgrade({ migrations })).rejects.toThrow(message);
    await expect(upgrade({ migrations })).rejects.toThrow('the database is as it was before');
    expect(await readVersion()).toBe('before');
    expect(await upgrade()).toBe(true);
    expect(await readVersion()).toBe('next');
  });

  test('refuses while another program uses the database, and changes nothing', async () => {
    const { settings, backups, upgrade, readVersion } = await makeSite({ locate });
    const server = await openDatabase(settings.database);
    await everyTable(server.db).selectFrom('sounds').select('seq').limit(1).execute();
    // A server asks every two seconds; an idle connection of a pool ends after ten.
    await expect(upgrade()).rejects.toThrow(/stop the server/);
    await server.close();
    expect(await readVersion()).toBe('before');
    expect(await readdir(backups)).toEqual([]);
  });

  rule('changes nothing without a backup', async () => {
    const { settings, folder, upgrade, readVersion } = await makeSite({ locate });
    const without = { ...settings, backups: null };
    const options = { backupTo: '', migrations: NEXT_VERSION, print: () => undefined };
    await expect(upgradeData(without, options)).rejects.toThrow(
      /nothing was changed: .* BACKUP_DIR, .* --to/,
    );
    const taken = join(folder, 'a.tar');
    await writeFile(taken, '');
    await expect(upgrade({ backupTo: taken })).rejects.toThrow(/nothing was changed: .* exists already/);
    expect(await readVersion()).toBe('before');
    await upgradeData(without, { ...options, backupTo: join(folder, 'b.tar') });
    expect(existsSync(join(folder, 'b.tar'))).toBe(true);
    expect(await readVersion()).toBe('next');
  });

  test('survives a kill within the migration', async () => {
    const { env, upgrade, readVersion } = await makeSite({ locate });
    const { hear, kill } = startDoomed(PROCESS, ['hang'], env);
    while ((await hear()) !== 'migrating');
    await kill();
    expect(await readVersion()).toBe('before');
    expect(await upgrade()).toBe(true);
    expect(await readVersion()).toBe('next');
  });

  test.runIf(isSoak)(
    'survives kills at any time',
    async () => {
      for (let turn = 0; turn < 50; turn += 1) {
        const { env, upgrade, readVersion } = await makeSite({ locate });
        const { child, exit, hear } = startDoomed(PROCESS, [], env);
        await hear();
        await wait(Math.random() * 500);
        child.kill('SIGKILL');
        await exit;
        await readVersion();
        await upgrade();
        expect(await readVersion()).toBe('next');
      }
    },
    900_000,
  );

  test.runIf(name === 'postgres')('makes no backup of an empty database', async () => {
    const { location, env, remove } = await locateEmpty();
    onTestFinished(remove);
    const settings = parseSettings({ DATA_DIR: await makeFolder(), ...env });
    const lines: string[] = [];
    const print = (line: string) => void lines.push(line);
    expect(await upgradeData(settings, { backupTo: '', print })).toBe(true);
    expect(lines).toContain('The database is empty: there is nothing to back up.');
    expect((await listPending(location, MIGRATIONS)).names).toEqual([]);
  });
});

test('upgrading refuses a folder without a database', async () => {
  const { env, remove } = await locateEmptyDatabase('sqlite');
  onTestFinished(remove);
  const options = { backupTo: '', print: () => undefined };
  await expect(upgradeData(parseSettings(env), options)).rejects.toThrow(
    /there is no database at .*DATA_DIR/,
  );
});
