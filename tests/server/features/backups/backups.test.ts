import { createHash } from 'node:crypto';
import { readFile, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { type Transaction, sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { FILES_FOLDER, toFolderClasses } from '#server/features/backups/folders.ts';
import { requireRestored } from '#server/features/backups/restore-marks.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { expectRulesInForce, makeEmptyPlace, makeSite, readRows } from '#support/processes/backups.ts';
import {
  addMigration,
  bothDatabases,
  getRow,
  insertRow,
  listRows,
  ruleDatabases,
} from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';

/** One form suffices to see what differs between the databases. */
const FORMS = {
  sqlite: ['an archive', 'a folder'],
  postgres: depth(['an archive'], ['an archive', 'a folder']),
};
const PLAIN = { withKeys: false };

describe.each(bothDatabases)('a backup on $name', (kind) => {
  test.each(FORMS[kind.name])('as %s restores every row and file', async (form) => {
    const { site, folder, members, database } = await makeSite(kind);
    const { artistId } = await members.act();
    await members.act();
    const target = form === 'an archive' ? join(folder, 'a.tar') : `${folder}/backups/`;
    const made = await createBackup(site, target, PLAIN);
    expect(made).toMatchObject({ unknown: [], summary: { missing: [], deletedMeanwhile: [] } });
    expect((await stat(made.path)).mode & 0o077).toBe(0);
    expect(await verifyBackup(made.path, FILE_OWNERS)).toMatchObject({ faults: [] });

    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, made.path);
    expect(await readRows(place.database, folder)).toEqual(await readRows(site.database, folder));
    const files = await listFiles(join(site.dataDir, 'files'));
    expect(await listFiles(join(place.dataDir, 'files'))).toEqual(files);
    await requireRestored(place);

    const restored = await openDatabase(place.database);
    onTestFinished(() => restored.close());
    expect(await verifyLedger(restored.db)).toEqual([]);
    // Keys and triggers are in force, and sequences continue.
    await expectRulesInForce(restored);
    const message = { id: 'x', name: '', email: '', message: '', user_id: artistId, created_at: 0 };
    await insertRow(restored, 'contact_messages', message);
    const [before, after] = await Promise.all([nextType(database), nextType(restored)]);
    expect(after).toBe(before);
  });

  test('of an older program is verified and restored', async () => {
    const { location, remove } = await kind.locateEmpty();
    onTestFinished(remove);
    const folder = await makeFolder();
    await (await openDatabase(location)).close();
    const dataDir = join(folder, 'data');
    const storage = { kind: 'folder', path: join(dataDir, 'files') } as const;
    const site = { siteName: '', version: '', dataDir, database: location, storage, files: FILE_OWNERS };
    const { path, manifest } = await createBackup(site, join(folder, 'a.tar'), PLAIN);
    const up = (db: Transaction<unknown>) => db.schema.createTable('later').addColumn('id', 'text').execute();
    addMigration({ name: '9999-later', up });
    expect(manifest.migrations).not.toContain('9999-later');
    expect(await verifyBackup(path, FILE_OWNERS)).toMatchObject({ faults: [] });
    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, path);
    const { db, close } = await openDatabase(place.database);
    onTestFinished(close);
    expect(await sql`select * from later`.execute(db)).toMatchObject({ rows: [] });
  });
});

describe.each(ruleDatabases)('a backup on $name', (kind) => {
  test('as a folder copies files once, and each backup restores as it was', async () => {
    const { site, folder, members } = await makeSite(kind);
    await members.act();
    const first = await createBackup(site, `${folder}/backups/`, PLAIN);
    const rows = await readRows(site.database, folder);
    const { soundId } = await members.act();
    const second = await createBackup(site, `${folder}/backups/`, PLAIN);
    const third = await createBackup(site, `${folder}/backups`, PLAIN);
    expect(second.summary.files).toBe(2);
    expect(third.summary.files).toBe(2);
    expect(await readdir(join(folder, 'backups/objects'))).toHaveLength(2);
    expect(await verifyBackup(first.path, FILE_OWNERS)).toMatchObject({ faults: [] });
    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, first.path);
    expect(await readRows(place.database, folder)).toEqual(rows);
    const latest = (await makeEmptyPlace(kind)).place;
    expect((await restoreBackup(latest, `${folder}/backups`)).path).toBe(third.path);
    const restored = await openDatabase(latest.database);
    onTestFinished(() => restored.close());
    expect(await listRows(restored, 'sounds', {}, ['id'])).toContainEqual({ id: soundId });
  });

  test('writes no stored file again that is in the folder, and needs no room for it', async () => {
    const { site, folder } = await makeSite(kind);
    const storage = await openStorage(site.storage);
    const folders = Object.entries(toFolderClasses(FILE_OWNERS))
      .filter(([name, kind]) => name.startsWith(FILES_FOLDER) && name.endsWith('/') && kind === 'data')
      .map(([name]) => name.slice(FILES_FOLDER.length));
    expect(folders).toEqual(expect.arrayContaining(['notices/', 'personal-info/']));
    for (const name of folders) await storage.put(`${name}1/${'0'.repeat(64)}`, Buffer.from(name));
    await storage.put('notices/2/film', Buffer.alloc(40_000_000));
    const backups = `${folder}/backups/`;
    const withRoom = { ...PLAIN, measureFree: () => Promise.resolve(300_000_000) };
    await expect(createBackup(site, backups, withRoom)).rejects.toMatchObject({ code: 'ENOSPC' });
    await createBackup(site, backups, PLAIN);
    const before = await listInodes(join(backups, 'objects'));
    expect(before).toHaveLength(folders.length + 1);
    const { summary } = await createBackup(site, backups, withRoom);
    expect(summary.files).toBe(folders.length + 1);
    expect(await listInodes(join(backups, 'objects'))).toEqual(before);
  });

  test('is restored into an empty place only, and not by an older program', async () => {
    const { site, folder, members } = await makeSite(kind);
    await members.act();
    const { path } = await createBackup(site, join(folder, 'a.tar'), PLAIN);
    await expect(createBackup(site, path, PLAIN)).rejects.toThrow(/exists already/);
    await expect(restoreBackup(site, path)).rejects.toThrow(/is not empty/);
    const { place } = await makeEmptyPlace(kind);

    const source = await openDatabase(site.database);
    await sql`insert into migrations (name, applied_at) values ('9999-future', 0)`.execute(source.db);
    await source.close();
    const newer = await createBackup(site, join(folder, 'b.tar'), PLAIN);
    const unreadable = /cannot read the backup, which has 9999-future/;
    await expect(restoreBackup(place, newer.path)).rejects.toThrow(unreadable);
    await expect(verifyBackup(newer.path, FILE_OWNERS)).rejects.toThrow(/cannot read the backup/);
    await restoreBackup(place, path);
    await expect(restoreBackup(place, path)).rejects.toThrow(/is not empty/);
  });

  test('reports every kind of damage, and is then not restored', async () => {
    const { site, folder, members } = await makeSite(kind);
    await members.act();
    const { path } = await createBackup(site, `${folder}/backups/`, PLAIN);
    const { place } = await makeEmptyPlace(kind);
    async function expectFault(damage: () => Promise<unknown>, fault: RegExp) {
      await damage();
      const { faults } = await verifyBackup(path, FILE_OWNERS);
      expect(faults).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
      await expect(restoreBackup(place, path)).rejects.toThrow(/the backup is damaged/);
    }
    const entries = await readdir(join(path, 'database'), { recursive: true });
    const database = entries.find((name) => /sounds\/|sqlite/.test(name)) ?? '';
    const [prefix = ''] = await readdir(join(folder, 'backups/objects'));
    const objects = join(folder, 'backups/objects', prefix);
    const [object = ''] = await readdir(objects);
    const file = join(path, 'database', database);
    const whole = await readFile(file);
    const flipped = Uint8Array.from(whole, (byte, index) => (index === whole.length >> 1 ? byte ^ 1 : byte));
    await expectFault(() => writeFile(file, flipped), /^database\/.* altered or damaged/);
    await expectFault(() => truncate(file, 10), /^database\/.* altered or damaged/);
    await expectFault(() => writeFile(join(objects, object), 'other'), /data\/files\/.* altered or damaged/);
    await expectFault(() => rm(join(objects, object)), /data\/files\/.* is missing/);
    await rm(join(path, 'SHA256SUMS'));
    await expect(verifyBackup(path, FILE_OWNERS)).rejects.toThrow(/has no backup/);
  });

  test('of format 1, with an uncompressed database, is verified and restored', async () => {
    const { site, folder, members } = await makeSite(kind);
    await members.act();
    const { path } = await createBackup(site, `${folder}/backups/`, PLAIN);
    const names = await readdir(join(path, 'database'), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.zst'))) {
      const file = join(path, 'database', name);
      await writeFile(file.replace(/\.zst$/, ''), zstdDecompressSync(await readFile(file)));
      await rm(file);
    }
    const manifest = await readFile(join(path, 'manifest.json'), 'utf8');
    const older = manifest.replace('"format": 2', '"format": 1');
    expect(older).not.toBe(manifest);
    await writeFile(join(path, 'manifest.json'), older);
    const sums = await readFile(join(path, 'SHA256SUMS'), 'utf8');
    await writeFile(join(path, 'SHA256SUMS'), sums.replace(toHash(manifest), toHash(older)));
    expect(await verifyBackup(path, FILE_OWNERS)).toMatchObject({ faults: [], manifest: { format: 1 } });
    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, path);
    expect(await readRows(place.database, folder)).toEqual(await readRows(site.database, folder));
  });

  test('names files that are missing, and those that were deleted while it was made', async () => {
    const { site, folder, members, database } = await makeSite(kind);
    const { soundId } = await members.act();
    const { audio_key } = await getRow(database, 'sounds', { id: soundId });
    const name = `files/sounds/${audio_key.slice(0, 2)}/${audio_key}`;
    await rm(join(site.dataDir, name));
    const { summary } = await createBackup(site, join(folder, 'a.tar'), PLAIN);
    expect(summary).toMatchObject({ missing: [name], deletedMeanwhile: [] });
    const { faults } = await verifyBackup(join(folder, 'a.tar'), FILE_OWNERS);
    expect(faults).toEqual([`${name} was missing when the backup was made`]);
    let isDeleted = false;
    const made = await createBackup(site, join(folder, 'b.tar'), {
      ...PLAIN,
      // The first entry is written after the snapshot has been taken.
      onProgress() {
        if (isDeleted || kind.name !== 'sqlite') return;
        isDeleted = true;
        const direct = new DatabaseSync(join(site.dataDir, 'site.sqlite'));
        direct.exec('delete from sounds');
        direct.close();
      },
    });
    if (kind.name === 'sqlite') expect(made.summary).toMatchObject({ missing: [], deletedMeanwhile: [name] });
  });
});

async function nextType(database: Database): Promise<number> {
  await insertRow(database, 'sound_types', { name: 'another' });
  return (await getRow(database, 'sound_types', { name: 'another' })).id;
}

function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function listInodes(folder: string): Promise<number[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const found = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))));
  return found.map(({ ino }) => ino).toSorted();
}

async function listFiles(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path.slice(folder.length)] = (await readFile(path)).toString('base64');
  }
  return found;
}
