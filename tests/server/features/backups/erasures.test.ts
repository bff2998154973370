import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { forgetErasures, keepErasures, saveErasures } from '#server/features/backups/erasures.ts';
import type { Erasures } from '#server/features/backups/erasures.ts';
import { backupsFeature } from '#server/features/backups/module.ts';
import { toBackupName } from '#server/features/backups/pool.ts';
import { findBackup, readManifest } from '#server/features/backups/read.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { payPayout } from '#server/features/ledger/payout-decisions.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { eraseDeletedSounds } from '#server/features/my-sounds/deletion.ts';
import { FEATURES } from '#server/features.ts';
import { eraseDueAccounts } from '#server/features/own-data/erasure.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database, DatabaseLocation } from '#server/platform/database/open.ts';
import { writeRestoreMark } from '#server/platform/database/snapshots/snapshot.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import type { StorageLocation } from '#server/platform/storage/port.ts';
import { makeFolder } from '#support/files/folders.ts';
import {
  bothDatabases,
  deleteRows,
  getRow,
  insertRow,
  listRows,
  updateRows,
} from '#support/databases/databases.ts';
import { makeEmptyPlace, makeSite } from '#support/processes/backups.ts';
import { findOpenPayoutId, toPayoutDeps } from '#support/members/payouts.ts';
import { runCommand } from '#support/processes/operator.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;

async function eraseDue(database: Database, storage: StorageLocation): Promise<void> {
  const fail = ({ err }: { readonly err: unknown }) => {
    throw err;
  };
  const deps = {
    database,
    storage: await openStorage(storage),
    clock: { now: Date.now },
    logger: { error: fail, info: () => undefined } as never,
    catalogueChanged: () => undefined,
    features: FEATURES,
  };
  await eraseDueAccounts(deps);
  await eraseDeletedSounds(deps);
}

async function open(location: DatabaseLocation): Promise<Database> {
  const database = await openDatabase(location);
  onTestFinished(() => database.close());
  return database;
}

const readMember = (database: Database, id: string) => getRow(database, 'users', { id });
const listSounds = async ({ db }: Database) =>
  (await everyTable(db).selectFrom('sounds').select('id').orderBy('seq').execute()).map(({ id }) => id);
const listEntries = ({ db }: Database) =>
  everyTable(db).selectFrom('ledger_entries').selectAll().orderBy('seq').execute();

describe.each(bothDatabases)('erasures after a backup on $name', (kind) => {
  /** A backup with three artists, of whom one was erased since, as was a sound of another one. */
  async function prepare() {
    const { site, folder, database, members, env } = await makeSite(kind);
    const kept = await members.act();
    const erased = await members.act();
    const other = await members.act();
    const backups = join(folder, 'backups');
    const { path } = await createBackup(site, `${backups}/`, { withKeys: false });
    const entries = await listEntries(database);
    const email = (await readMember(database, erased.artistId)).email;
    const longAgo = Date.now() - 8 * DAY_MS;
    const leaving = { deletion_requested_at: longAgo, is_blocked: 1 } as const;
    await updateRows(database, 'users', leaving, { id: erased.artistId });
    await updateRows(database, 'sounds', { deleted_at: longAgo, is_published: 0 }, { id: other.soundId });
    await eraseDue(database, site.storage);
    const save = () => saveErasures({ database, clock: { now: Date.now } }, backups);
    await save();
    return { site, folder, database, env, backups, path, kept, erased, other, entries, email, save };
  }

  test('are repeated by a restore: hidden at once, erased by the first jobs, and the books stay', async () => {
    const { backups, path, kept, erased, entries } = await prepare();
    for (const target of [path, backups]) {
      const { place } = await makeEmptyPlace(kind);
      expect((await restoreBackup(place, target)).erased).toEqual({ accounts: 1, sounds: 2 });
      const database = await open(place.database);
      const member = await readMember(database, erased.artistId);
      expect(member).toMatchObject({ deletion_requested_at: expect.any(Number) as number, is_blocked: 1 });
      expect(await listRows(database, 'sounds', { is_published: 1 }, ['id'])).toEqual([{ id: kept.soundId }]);

      await eraseDue(database, place.storage);
      expect(await readMember(database, erased.artistId)).toMatchObject({ email: '', name: '' });
      expect(await listSounds(database)).toEqual([kept.soundId]);
      const storage = await openStorage(place.storage);
      const files: string[] = [];
      for await (const { key } of storage.list()) if (key.startsWith('sounds/')) files.push(key);
      expect(files).toHaveLength(1);
      expect((await listEntries(database)).slice(0, entries.length)).toEqual(entries);
      expect(await verifyLedger(database.db)).toEqual([]);
    }
  });

  test('are listed by the machine that makes the backups, whichever machine leads and erases', async () => {
    const { site, database, backups, path } = await prepare();
    await rm(join(backups, 'erasures.json'));
    const toJobs = (folder: string | null) => {
      const schedule = folder === null ? null : { folder, everyHours: 24, keep: 7 };
      const options = { site, schedule, operatorEmail: 'operator@example.test' };
      const module = backupsFeature.createModule(options, { features: [], listModules: () => [] });
      return module.scheduledJobs?.({ database, clock: { now: Date.now } } as never) ?? [];
    };
    for (const job of toJobs(null)) await job.run();
    const ofEach = toJobs(backups).filter(({ name, isPerProcess }) => isPerProcess && name === 'erasures');
    for (const job of ofEach) await job.run();
    const { place } = await makeEmptyPlace(kind);
    expect((await restoreBackup(place, path)).erased).toEqual({ accounts: 1, sounds: 2 });
  });

  test('are repeated after an interruption between the rows and the marks', async () => {
    const { path } = await prepare();
    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, path);
    const { id } = await readManifest((await findBackup(path)).reader);
    if (kind.name === 'postgres') await writeRestoreMark(place.database, { id, state: 'filled' });
    await writeFile(join(place.dataDir, 'restore-incomplete.json'), JSON.stringify({ id, state: 'begun' }));
    expect((await restoreBackup(place, path)).erased).toEqual({ accounts: 1, sounds: 2 });
    const database = await open(place.database);
    await eraseDue(database, place.storage);
    expect(await listSounds(database)).toHaveLength(1);
  });

  test('leave an open payout to the staff, who books what the bank has paid', async () => {
    const { backups, path, kept } = await prepare();
    const list = { accounts: { [kept.artistId]: Date.now() }, sounds: {} };
    await writeFile(join(backups, 'erasures.json'), JSON.stringify(list));
    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, path);
    const database = await open(place.database);
    await eraseDue(database, place.storage);
    const staff = await listRows(database, 'users', { is_staff: 1 }, ['id']);
    const id = await findOpenPayoutId(database, kept.artistId);
    await payPayout(toPayoutDeps(database, { now: Date.now }), id, staff[0]?.id ?? '');
    expect(await verifyLedger(database.db)).toEqual([]);
  });

  test('leave a member alone who has registered with the address again', async () => {
    const { site, database, backups, erased, email } = await prepare();
    const again = await createUser(database, { username: 'again', email });
    const { path } = await createBackup(site, `${backups}/`, { withKeys: false });
    const { place } = await makeEmptyPlace(kind);
    expect((await restoreBackup(place, path)).erased).toEqual({ accounts: 0, sounds: 0 });
    const restored = await open(place.database);
    expect(await readMember(restored, again)).toMatchObject({ email, deletion_requested_at: null });
    expect((await readMember(restored, erased.artistId)).email).toBe('');
  });

  test('are in a list without personal data, which a later run neither repeats nor loses', async () => {
    const { database, backups, erased, other, email, save } = await prepare();
    const read = () => readFile(join(backups, 'erasures.json'), 'utf8');
    const text = await read();
    const atMs = expect.any(Number) as number;
    expect(JSON.parse(text)).toEqual({
      accounts: { [erased.artistId]: atMs },
      sounds: { [erased.soundId]: atMs, [other.soundId]: atMs },
    });
    expect(text).not.toContain(email);
    await deleteRows(database, 'erasures');
    await save();
    expect(await read()).toBe(text);
  });

  test('are listed beside each backup that the staff makes by command', async () => {
    const { folder, env, erased } = await prepare();
    const { code } = await runCommand(env, 'backup', 'create', join(folder, 'monday.tar'));
    expect(code).toBe(0);
    const list = JSON.parse(await readFile(join(folder, 'erasures.json'), 'utf8')) as Erasures;
    expect(Object.keys(list.accounts)).toEqual([erased.artistId]);
  });

  test('are forgotten after 400 days, and stay in the list while an older backup is there', async () => {
    const { database, folder } = await makeSite(kind);
    await insertRow(database, 'erasures', { id: 'a', kind: 'sound', erased_at: Date.now() });
    const saveLater = async () => {
      const deps = { database, clock: { now: () => Date.now() + 401 * DAY_MS } };
      await keepErasures(deps, { folder, everyHours: 24, keep: 7 });
      await forgetErasures(deps);
      return [
        (JSON.parse(await readFile(join(folder, 'erasures.json'), 'utf8')) as Erasures).sounds,
        (await listRows(database, 'erasures', {}, ['id'])).map(({ id }) => id),
      ];
    };
    const old = join(folder, toBackupName(Date.now() - DAY_MS));
    await mkdir(old);
    expect(await saveLater()).toEqual([{ a: expect.any(Number) as number }, []]);
    await rm(old, { recursive: true });
    expect(await saveLater()).toEqual([{}, []]);
  });

  test('stop a restore while the list is unreadable', async () => {
    const { path, backups, save, erased } = await prepare();
    const list = join(backups, 'erasures.json');
    const { place, env } = await makeEmptyPlace(kind);
    for (const content of ['', '{"accounts":{', '{"accounts":{"a":"b"},"sounds":{}}']) {
      await writeFile(list, content);
      await expect(restoreBackup(place, path)).rejects.toThrow(/the list of erasures .* cannot be read/);
      await expect(save()).rejects.toThrow(/cannot be read/);
      expect(await readFile(list, 'utf8')).toBe(content);
    }
    const { code, out } = await runCommand(env, 'backup', 'restore', path, '--without-erasures');
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('No list of erasures was used') });
    expect((await readMember(await open(place.database), erased.artistId)).deletion_requested_at).toBeNull();
  });

  test('are found in BACKUP_DIR for a backup elsewhere, and repeated by command in a database that was restored otherwise', async () => {
    const { site, folder, backups, erased } = await prepare();
    const { place, env } = await makeEmptyPlace(kind);
    const archive = join(await makeFolder(), 'elsewhere.tar');
    await createBackup(site, archive, { withKeys: false });
    const restored = await runCommand({ ...env, BACKUP_DIR: backups }, 'backup', 'restore', archive);
    expect(restored.out).toContain('Erased before, and hidden now: 0 accounts, 0 sounds.');

    const database = await open(place.database);
    const returned = await createUser(database, { username: 'returned', email: 'returned@example.test' });
    const list = { accounts: { [returned]: Date.now(), [erased.artistId]: 1 }, sounds: { none: 1 } };
    await writeFile(join(folder, 'erasures.json'), JSON.stringify(list));
    const { code, out } = await runCommand(env, 'backup', 'repeat-erasures', folder);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('1 accounts, 0 sounds.') });
    expect((await readMember(database, returned)).deletion_requested_at).not.toBeNull();
    const { err } = await runCommand(env, 'backup', 'repeat-erasures', join(folder, 'none'));
    expect(err).toMatch(/has no list of erasures/);
  });
});
