import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compareSearchIndex } from '#server/features/catalogue/search/comparing.ts';
import { certificate } from '#server/features/doctor/checks/certificate.ts';
import { makeCertificate } from './certificates.ts';
import {
  bothDatabases,
  deleteRows,
  insertMany,
  insertRow,
  listRows,
  locateTestDatabase,
  updateRows,
} from '#support/databases/databases.ts';
import { type HealthySite, DAY_MS, STAFF, makeHealthySite } from './doctor.ts';

const AS = ['--fix', '--as', STAFF];
const HOUR_MS = 3_600_000;

async function addMail({ database }: HealthySite, id: string, changes: object): Promise<void> {
  const mail = { id, to_address: 'a@example.test', reply_to: null, subject: '', text: '', html: '' };
  const times = { created_at: Date.now(), next_attempt_at: Date.now(), finished_at: null };
  await insertRow(database, 'mail_outbox', { ...mail, ...times, state: 'waiting', ...changes });
}

describe.each(bothDatabases)('the doctor and rows on $name', ({ locate }) => {
  test('finds sounds that the search index lacks, has wrong or has without a row, and --fix corrects it', async () => {
    const site = await makeHealthySite(locate);
    const { db, search } = site.database;
    const [published, draft] = site.sounds;
    const third = await site.addSound('夜の海');
    await search.remove(db, published.seq);
    await sql`update sounds set title = '別の題' where id = ${third.id}`.execute(db);
    await search.put(db, third.seq + 5_000, ['xあ']);
    const { code, failed, findings } = await site.diagnose();
    expect({ code, failed }).toEqual({
      code: 1,
      failed: { 'search index': ['missing', 'outdated', 'orphaned'] },
    });
    expect(findings.map(({ examples }) => examples[0])).toEqual([
      published.id,
      third.id,
      `number ${third.seq + 5_000}`,
    ]);
    expect(await site.diagnose(...AS)).toMatchObject({ code: 0, failed: {} });
    await sql`update sounds set is_published = 1 where id = ${draft.id}`.execute(db);
    expect(await site.diagnose()).toMatchObject({ failed: { 'search index': ['other-visibility'] } });
  });

  test('does not report a sound that is uploaded and deleted while the search index is compared', async () => {
    const { database, addSound } = await makeHealthySite(locate);
    const { seq } = await addSound('夜の海');
    let looks = 0;
    const list: typeof database.search.list = async (...args) => {
      const seqs = await database.search.list(...args);
      looks += 1;
      // The first look is before the upload, the second one before the deletion.
      if (looks === 1) return seqs.filter((each) => each !== seq);
      if (looks === 2) {
        await deleteRows(database, 'sounds', { seq });
        await database.search.remove(database.db, seq);
      }
      return seqs;
    };
    const search = { ...database.search, list };
    const faults = await Array.fromAsync(compareSearchIndex({ ...database, search }));
    expect({ faults, hasLookedTwice: looks >= 2 }).toEqual({ faults: [], hasLookedTwice: true });
  });

  test('does not report sounds that wait to be indexed again', async () => {
    const site = await makeHealthySite(locate);
    const { database, artistId: user_id } = site;
    await updateRows(database, 'sounds', { title: '別の題' });
    await insertRow(database, 'unindexed_artists', { user_id, change_id: 'change', after_seq: 0 });
    expect(await site.diagnose()).toMatchObject({ code: 0, failed: {} });
  });

  test('finds mails that are late, fail or were given up, and --fix sends failing ones again', async () => {
    const site = await makeHealthySite(locate);
    const later = Date.now() + HOUR_MS;
    await addMail(site, 'late', { next_attempt_at: Date.now() - HOUR_MS });
    await addMail(site, 'failing', { attempts: 4, next_attempt_at: later, last_error: 'refused' });
    await addMail(site, 'given-up', { state: 'given-up', finished_at: Date.now() - HOUR_MS });
    await addMail(site, 'long-ago', { state: 'given-up', finished_at: Date.now() - 10 * DAY_MS });
    await addMail(site, 'being-sent', { next_attempt_at: Date.now() + 60_000 });
    const { failed, findings } = await site.diagnose();
    expect(failed).toEqual({ mails: ['late', 'failing', 'given-up'] });
    expect(findings.map(({ examples }) => examples)).toEqual([['late'], ['failing'], ['given-up']]);
    await site.diagnose(...AS);
    const rows = await listRows(site.database, 'mail_outbox', {}, ['id', 'next_attempt_at']);
    const due = rows.filter(({ next_attempt_at }) => next_attempt_at <= Date.now()).map(({ id }) => id);
    expect(due).toContain('failing');
    expect(due).not.toContain('being-sent');
  });

  test('finds uploads and files that are left over, a stuck lease and an unreadable sound', async () => {
    const site = await makeHealthySite(locate);
    const { database } = site;
    const [first, second] = site.sounds;
    const long = Date.now() - 3 * DAY_MS;
    const upload = { user_id: site.artistId, size_bytes: 1, metadata: '', sound_id: null };
    await insertMany(database, 'resumable_uploads', [
      { ...upload, id: 'expired', created_at: long },
      { ...upload, id: 'under-way', created_at: Date.now() },
    ]);
    const file = { file_key: 'removed', kind: 'sound', state: 'removed', state_since: long } as const;
    await insertRow(database, 'unclaimed_files', file);
    const piece = { upload_id: 'under-way', start_byte: 0, size_bytes: null };
    await insertMany(database, 'upload_pieces', [
      { ...piece, id: 'abandoned', state: 'incoming', state_since: long },
      { ...piece, id: 'received', state: 'received', size_bytes: 1, state_since: long },
      { ...piece, id: 'arriving', state: 'incoming', state_since: Date.now() },
    ]);
    const dead = { lease_id: 'dead', not_before: long };
    const unreadable = { state: 'failed', failed_version: 1 } as const;
    await updateRows(database, 'undecoded_sounds', dead, { sound_seq: first.seq });
    await updateRows(database, 'undecoded_sounds', unreadable, { sound_seq: second.seq });
    const { failed, findings } = await site.diagnose();
    expect(failed).toEqual({
      uploads: ['expired-uploads', 'undeleted-files', 'stuck-leases', 'unreadable-sounds'],
    });
    expect(findings.map(({ examples }) => examples)).toContainEqual(['removed', 'piece abandoned']);
    const { failed: left } = await site.diagnose(...AS);
    expect(left).toEqual({ uploads: ['expired-uploads', 'undeleted-files', 'unreadable-sounds'] });
  });

  test('finds submissions that never arrived, kept files and members without one; --fix deletes the files', async () => {
    const site = await makeHealthySite(locate);
    const { database } = site;
    const long = Date.now() - DAY_MS;
    const row = { user_id: site.artistId, submitted_at: long, decided_by: null };
    await insertMany(database, 'personal_info_submissions', [
      { ...row, id: 'incoming', state: 'incoming', object_key: 'personal-info/incoming', decided_at: null },
      { ...row, id: 'decided', state: 'approved', object_key: 'personal-info/decided', decided_at: long },
    ]);
    await site.storage.put('personal-info/decided', Buffer.from('image'));
    expect((await site.diagnose()).failed).toEqual({
      submissions: ['stuck-submissions', 'undeleted-submissions'],
    });
    expect(await site.diagnose(...AS)).toMatchObject({ code: 0, failed: {} });
    expect(await site.storage.has('personal-info/decided')).toBe(false);

    await updateRows(database, 'users', { status: 'pending' }, { id: site.artistId });
    expect((await site.diagnose()).failed).toEqual({ submissions: ['lost-submissions'] });
  });

  test('finds rows from the future', async () => {
    const { database, sounds, diagnose } = await makeHealthySite(locate);
    await updateRows(database, 'sounds', { created_at: Date.now() + DAY_MS }, { id: sounds[0].id });
    expect(await diagnose()).toMatchObject({ code: 1, failed: { clock: ['future-rows'] } });
  });
});

describe('the doctor on SQLite', () => {
  test('finds an index that does not match its table', async () => {
    const site = await makeHealthySite(() => locateTestDatabase('sqlite'));
    const { file } = site.settings.database as { file: string };
    const database = new DatabaseSync(file, { defensive: false });
    database.exec(`
      pragma writable_schema = on;
      create index broken on sounds (title);
      update sqlite_schema set sql = 'create index broken on sounds (description)' where name = 'broken';
      pragma writable_schema = reset;
    `);
    database.close();
    expect((await site.diagnose()).failed).toEqual({ 'database integrity': ['damaged'] });
  });
});

describe('the doctor on PostgreSQL', () => {
  test('finds invalid indexes, unchecked constraints, disabled triggers and orphaned rows', async () => {
    const site = await makeHealthySite(() => locateTestDatabase('postgres'));
    const { db } = site.database;
    await sql`update pg_index set indisvalid = false where indexrelid = 'sounds_content'::regclass`.execute(
      db,
    );
    await sql`alter table sounds add constraint short_titles check (length(title) < 1000) not valid`.execute(
      db,
    );
    await sql`alter table ledger_entries disable trigger ledger_entries_book`.execute(db);
    await db.transaction().execute(async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction);
      await sql`insert into favorites (user_id, sound_seq, created_at)
        values ('nobody', ${site.sounds[0].seq}, ${Date.now()})`.execute(transaction);
    });
    const { failed, findings } = await site.diagnose();
    expect(failed).toEqual({
      schema: ['unexpected'],
      counters: ['doubtful'],
      'database integrity': [
        'invalid-indexes',
        'unchecked-constraints',
        'disabled-triggers',
        'orphaned-rows',
      ],
    });
    expect(findings.slice(0, -1).map(({ examples }) => examples[0])).toEqual([
      expect.stringMatching(/^constraint short_titles on sounds: CHECK /),
      'sounds_content',
      'sounds: short_titles',
      'ledger_entries: ledger_entries_book',
      'favorites.user_id: 1 without users',
    ]);
  });
});

describe('the certificate of the site', () => {
  const examine = async (siteUrl: string) => {
    const site = { settings: { siteUrl }, clock: { now: () => Date.now() } };
    const findings = await certificate.run(site as Parameters<typeof certificate.run>[0]);
    return findings.map(({ kind }) => kind);
  };

  test.each([
    [90, ['untrusted']],
    [5, ['untrusted', 'expires-soon']],
    [-1, ['expired']],
  ])('is judged when it is valid for %d days', async (days, kinds) => {
    const server = createServer(makeCertificate(new Date(Date.now() + days * DAY_MS)));
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await examine(`https://localhost:${port}`)).toEqual(kinds);
    await new Promise((resolve) => server.close(resolve));
    expect(await examine(`https://localhost:${port}`)).toEqual(['unreachable']);
  });

  test('is not asked for without --network, or for a site without https', async () => {
    expect(await examine('http://localhost:1')).toEqual([]);
    const site = await makeHealthySite(() => locateTestDatabase('sqlite'));
    expect((await site.diagnose()).states['TLS certificate']).toBe('skipped');
    expect((await site.diagnose('--network')).states['TLS certificate']).toBe('passed');
  });
});
