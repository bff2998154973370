import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { unknownFiles } from '#server/features/doctor/files/unknown.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { createLog } from '#server/platform/log.ts';
import { getRow, insertRow, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { changeUser } from '#support/members/profiles.ts';
import { type HealthySite, DAY_MS, STAFF, makeHealthySite, makeOlder, toCheckedSite } from './doctor.ts';

const AS = ['--as', STAFF];

/** A file in the storage folder that no row refers to. */
async function addUnused({ storage, toPath }: HealthySite, key: string, ageDays: number): Promise<string> {
  await storage.put(key, Buffer.from('unused'));
  await makeOlder(toPath(key), ageDays);
  return toPath(key);
}

describe.each(ruleDatabases)('the doctor and files on $name', ({ locate }) => {
  test('finds the missing file of a sound, a picture and a quality check', async () => {
    const site = await makeHealthySite(locate);
    await rm(site.toPath(`sounds/${site.sounds[0].audio_key}`));
    const { picture_key } = await getRow(site.database, 'users', { id: site.artistId });
    await rm(site.toPath(`pictures/${picture_key}/240.webp`));
    await changeUser(site.database, site.artistId, { status: 'pending' });
    const application = { id: 'application', user_id: site.artistId, submitted_at: Date.now() };
    const undecided = { state: 'pending', decided_at: null, decided_by: null } as const;
    await insertRow(site.database, 'quality_checks', { ...application, ...undecided });
    const place = { quality_check_id: 'application', slot: 1, object_key: 'quality-check/application-1' };
    const audio = { filename: 'a.mp3', mime: 'audio/mpeg', size_bytes: 1, duration_ms: 1, bit_rate: 1 };
    const facts = { ...audio, sample_rate: 1, sha256: 'a'.repeat(64) };
    await insertRow(site.database, 'quality_check_files', { ...place, ...facts });
    const { code, failed, findings } = await site.diagnose();
    expect({ code, failed }).toEqual({ code: 1, failed: { 'missing files': ['missing'] } });
    expect(findings[0]?.examples).toEqual([
      'quality check application: quality-check/application-1',
      `member artist: pictures/${picture_key}/240.webp`,
      `sound ${site.sounds[0].id}: sounds/${site.sounds[0].audio_key}`,
    ]);
  });

  test('tries the other repairs after one has failed, and reports both as JSON', async () => {
    const site = await makeHealthySite(locate);
    await addUnused(site, 'quality-check/forgotten-1', 2);
    const run = (statement: string) => sql.raw(statement).execute(site.database.db);
    await run(`update undecoded_sounds set lease_id = 'dead', not_before = ${Date.now() - DAY_MS}`);
    await run(`create trigger stuck before update on undecoded_sounds begin
      select raise(abort, 'the disk refuses'); end`);
    expect(await site.diagnose('--fix', ...AS)).toMatchObject({
      code: 1,
      repaired: ['unknown files: deleted 1 file, kept 0'],
      notRepaired: [expect.stringMatching(/^uploads: .*the disk refuses/)],
      failed: { schema: ['unexpected'], uploads: ['stuck-leases'] },
    });
    await run('drop trigger stuck');
    expect(await site.diagnose('--fix', '--as', 'nobody@example.test')).toMatchObject({
      code: 1,
      repaired: [],
      notRepaired: [expect.stringMatching(/no member has this address/)],
      failed: { uploads: ['stuck-leases'] },
    });
    expect(await site.diagnose('--fix', ...AS)).toMatchObject({ code: 0, failed: {}, notRepaired: [] });
  });

  test('finds unused files older than a day, and --fix deletes exactly these', async () => {
    const site = await makeHealthySite(locate);
    const old = [
      await addUnused(site, `sounds/${'0'.repeat(64)}`, 2),
      await addUnused(site, `pictures/${'0'.repeat(64)}/320.webp`, 2),
      await addUnused(site, 'personal-info-keys/forgotten', 2),
      await addUnused(site, 'quality-check/forgotten-1', 2),
      await addUnused(site, 'upload-pieces/forgotten', 2),
    ];
    const young = await addUnused(site, `sounds/${'1'.repeat(64)}`, 0.5);
    for (const { audio_key } of site.sounds) await makeOlder(site.toPath(`sounds/${audio_key}`), 2);
    // Recorded, but not yet referred to.
    const incoming = await addUnused(site, `sounds/${'2'.repeat(64)}`, 2);
    const state = { state: 'incoming', state_since: Date.now() } as const;
    await insertRow(site.database, 'unclaimed_files', { file_key: '2'.repeat(64), kind: 'sound', ...state });
    await addUnused(site, 'upload-pieces/arriving', 2);
    const piece = { id: 'arriving', upload_id: 'under-way', start_byte: 0, size_bytes: null };
    await insertRow(site.database, 'upload_pieces', { ...piece, ...state });

    const { code, failed, findings } = await site.diagnose();
    expect({ code, failed }).toEqual({ code: 1, failed: { 'unknown files': ['unused'] } });
    expect(findings[0]).toMatchObject({ count: 5, isFixable: true });
    const fixed = await site.diagnose('--fix', ...AS);
    const repaired = ['unknown files: deleted 5 files, kept 0'];
    expect(fixed).toMatchObject({ code: 0, failed: {}, repaired });
    expect(old.filter((path) => existsSync(path))).toEqual([]);
    expect([young, incoming].map((path) => existsSync(path))).toEqual([true, true]);
    for (const { audio_key } of site.sounds) expect(await site.storage.has(`sounds/${audio_key}`)).toBe(true);
    const { staff_id, subject } = await getRow(site.database, 'operator_actions', { action: 'doctor fix' });
    expect({ staff_id, subject }).toEqual({ staff_id: site.staffId, subject: 'unknown files: unused' });
  });

  test('keeps a file that a row refers to by the time it would be deleted', async () => {
    const site = await makeHealthySite(locate);
    const key = '3'.repeat(64);
    const path = await addUnused(site, `sounds/${key}`, 2);
    const { storage, database, settings } = site;
    const [finding] = await unknownFiles.run(toCheckedSite(settings, site));
    await updateRows(database, 'sounds', { audio_key: key }, { id: site.sounds[1].id });
    const logger = createLog('silent', { write: () => undefined });
    const fixed = await finding?.fix?.({ database, storage, clock: systemClock, logger });
    expect(fixed).toBe('deleted 0 files, kept 1');
    expect(existsSync(path)).toBe(true);
  });
});
