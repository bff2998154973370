import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createBackup } from '#server/features/backups/create.ts';
import { keepErasures } from '#server/features/backups/erasures.ts';
import { forgetPlaces, listPlaces, reportPlace } from '#server/features/backups/places.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { recordBackup, recordFailure } from '#server/features/backups/status.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { bothDatabases, deleteRows, insertMany, listRows, updateRows } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeEmptyPlace, makeSite } from '#support/processes/backups.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** What this machine has reported, as if another one had. */
const moveTo = (database: Database, host: string) => updateRows(database, 'backup_places', { host });

describe.each(bothDatabases)('folders of backups that machines report on $name', (kind) => {
  async function open() {
    const { database, site } = await makeSite(kind);
    const backups = { folder: await makeFolder(), everyHours: 24, keep: 7 };
    const here = { dataDir: await makeFolder(), backups };
    const elsewhere = { dataDir: await makeFolder(), backups: null };
    const clock = createTestClock(Date.now());
    const made = { atMs: clock.now(), path: join(backups.folder, 'one'), bytes: 1 };
    return { database, site, backups, here, elsewhere, clock, deps: { database, clock }, made };
  }

  test('are known to a machine without them, as last reported', async () => {
    const { database, backups, here, elsewhere, clock, deps, made } = await open();
    expect(await listPlaces(deps, elsewhere)).toEqual([]);
    await recordBackup(here.dataDir, backups, made, clock.now());
    await reportPlace(deps, here);
    await moveTo(database, 'a');
    const [place, ...others] = await listPlaces(deps, elsewhere);
    expect(others).toEqual([]);
    const plan = { folder: backups.folder, everyHours: 24, lastBackup: made };
    expect(place).toMatchObject({ ...plan, host: 'a', isHere: false, condition: 'working' });
    // A report of two hours ago says how it was then.
    clock.advance(2 * HOUR_MS);
    expect(await listPlaces(deps, elsewhere)).toMatchObject([{ condition: 'working' }]);
    clock.advance(2 * HOUR_MS);
    expect(await listPlaces(deps, elsewhere)).toMatchObject([{ condition: 'silent', lastBackup: made }]);
  });

  test('are failing or overdue for all machines, and working again after a success', async () => {
    const { database, backups, here, elsewhere, clock, deps, made } = await open();
    const toCondition = async () => {
      await reportPlace(deps, here);
      await deleteRows(database, 'backup_places', { host: 'a' });
      await moveTo(database, 'a');
      const places = await listPlaces(deps, elsewhere);
      return places.map(({ condition, failing }) => [condition, failing?.message]);
    };
    expect(await toCondition()).toEqual([['overdue', undefined]]);
    await recordFailure(here.dataDir, backups, 'x'.repeat(600), clock.now());
    expect(await toCondition()).toEqual([['failing', 'x'.repeat(500)]]);
    await recordBackup(here.dataDir, backups, made, clock.now());
    expect(await toCondition()).toEqual([['working', undefined]]);
    clock.advance(49 * HOUR_MS);
    expect(await toCondition()).toEqual([['overdue', undefined]]);
  });

  test('that are silent do not count while another one reports', async () => {
    const { database, backups, here, clock, deps, made } = await open();
    await recordBackup(here.dataDir, backups, made, clock.now());
    await reportPlace(deps, here);
    await moveTo(database, 'a name of before');
    clock.advance(4 * HOUR_MS);
    expect(await listPlaces(deps, here)).toMatchObject([{ isHere: true, condition: 'working' }]);
  });

  test('are those of backups by command too, for a week', async () => {
    const { database, elsewhere, clock, deps, made } = await open();
    const byCommand = { dataDir: await makeFolder(), backups: null };
    await reportPlace(deps, byCommand);
    expect(await listRows(database, 'backup_places')).toEqual([]);
    await recordBackup(byCommand.dataDir, null, made, clock.now());
    await reportPlace(deps, byCommand);
    await moveTo(database, 'a');
    expect(await listPlaces(deps, elsewhere)).toMatchObject([{ folder: null, condition: 'working' }]);
    clock.advance(8 * DAY_MS);
    expect(await listPlaces(deps, elsewhere)).toMatchObject([{ folder: null, condition: 'overdue' }]);
  });

  test('say whether the list of erasures beside them is complete', async () => {
    const { database, backups, elsewhere, clock, deps } = await open();
    const readErasures = async () => {
      await deleteRows(database, 'backup_places', { host: 'a' });
      await moveTo(database, 'a');
      return (await listPlaces(deps, elsewhere)).map(({ erasures }) => erasures);
    };
    await keepErasures(deps, backups);
    expect(await readErasures()).toEqual([{ atMs: clock.now(), fault: null }]);
    await writeFile(join(backups.folder, 'erasures.json'), '{');
    await expect(keepErasures(deps, backups)).rejects.toThrow();
    expect(await readErasures()).toEqual([{ atMs: null, fault: expect.stringContaining('cannot be read') }]);
  });

  test('are reported anew after a restore', async () => {
    const { database, site, backups, here, clock, deps, made } = await open();
    await recordBackup(here.dataDir, backups, made, clock.now());
    await reportPlace(deps, here);
    await moveTo(database, 'lost');
    const folder = await makeFolder();
    const { path } = await createBackup(site, `${folder}/`, { withKeys: false });
    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, path, { erasureFolders: null });
    const restored = await openDatabase(place.database);
    const rows = await listRows(restored, 'backup_places', {}, ['host', 'seen_at']);
    expect(rows).toEqual([{ host: 'lost', seen_at: 0 }]);
    const nobody = { dataDir: await makeFolder(), backups: null };
    expect(await listPlaces({ database: restored, clock }, nobody)).toEqual([]);
    await restored.close();
  });

  test('are forgotten after 30 days, and at most a hundred are kept, whatever names machines have', async () => {
    const { database, clock, deps, elsewhere } = await open();
    const nowMs = clock.now();
    const rows = Array.from({ length: 300 }, (_, index) => ({
      host: `pod-${index}`,
      folder: '/backups',
      every_hours: 24,
      seen_at: nowMs - index,
      state: index === 0 ? 'no JSON' : '{}',
    }));
    await insertMany(database, 'backup_places', rows);
    expect(await listPlaces(deps, elsewhere)).toHaveLength(100);
    await forgetPlaces(deps);
    expect(await listRows(database, 'backup_places', {}, ['host'])).toHaveLength(100);
    clock.advance(31 * DAY_MS);
    await forgetPlaces(deps);
    expect(await listRows(database, 'backup_places', {}, ['host'])).toEqual([]);
  });

  test('of a machine whose clock is ahead are not believed', async () => {
    const { database, backups, here, elsewhere, clock, deps } = await open();
    await mkdir(backups.folder, { recursive: true });
    await reportPlace({ database, clock: { now: () => clock.now() + 60 * DAY_MS } }, here);
    await moveTo(database, 'a');
    expect(await listPlaces(deps, elsewhere)).toEqual([]);
    await rm(backups.folder, { recursive: true });
  });
});
