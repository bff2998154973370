import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readStatement } from '#server/features/ledger/statements.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { createOutbox } from '#server/features/mail/outbox.ts';
import { changeInBatches } from '#server/platform/database/statements/batches.ts';
import { deleteOlder, deleteSomeOlder } from '#server/platform/database/statements/delete-older.ts';
import type { OlderRows } from '#server/platform/database/statements/delete-older.ts';
import type { Database } from '#server/platform/database/open.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases, getRow, insertMany, insertRow, listRows } from '#support/databases/databases.ts';
import { addArtist, createVisitor } from '#support/sounds/downloads.ts';
import { addPayee } from '#support/members/payouts.ts';
import { type Schema, everyTable } from '#server/platform/database/schema.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Kind {
  readonly table: keyof Schema;
  readonly days: number;
  readonly add: (db: Database['db'], userId: string, nowMs: number) => Promise<unknown>;
}

const DECIDED = { decided_by: null, reason: '理由' };

/** Each kind of personal data that expires by itself, and after how many days. */
const KINDS: readonly Kind[] = [
  {
    table: 'contact_messages',
    days: 365,
    add(db, user_id, created_at) {
      const message = { id: 'x', name: '名前', email: 'a@example.test', message: '本文' };
      return insertRow({ db }, 'contact_messages', { ...message, user_id, created_at });
    },
  },
  {
    table: 'personal_info_submissions',
    days: 365,
    add(db, user_id, decided_at) {
      const submission = { ...DECIDED, id: 'x', user_id, object_key: null, state: 'rejected' as const };
      return insertRow({ db }, 'personal_info_submissions', { ...submission, submitted_at: 1, decided_at });
    },
  },
  {
    table: 'personal_info_views',
    days: 365,
    async add(db, user_id, decided_at) {
      const submission = { ...DECIDED, id: 'x', user_id, object_key: null, state: 'approved' as const };
      await insertRow({ db }, 'personal_info_submissions', { ...submission, submitted_at: 1, decided_at });
      await insertRow({ db }, 'personal_info_views', { submission_id: 'x', staff_id: user_id, viewed_at: 1 });
    },
  },
  {
    table: 'quality_check_files',
    days: 365,
    async add(db, user_id, decided_at) {
      const check = { ...DECIDED, id: 'x', user_id, state: 'approved' as const };
      await insertRow({ db }, 'quality_checks', { ...check, submitted_at: 1, decided_at });
      const facts = { mime: 'audio/mpeg', size_bytes: 1, duration_ms: 1, bit_rate: 1, sample_rate: 1 };
      const file = { quality_check_id: 'x', slot: 1, object_key: null, filename: '曲.mp3', sha256: '' };
      await insertRow({ db }, 'quality_check_files', { ...facts, ...file });
    },
  },
  {
    table: 'sessions',
    days: 30,
    add(db, user_id, created_at) {
      const session = { id: 'x', user_id, token_hash: 'x', previous_hash: null, rotated_at: null };
      return insertRow({ db }, 'sessions', { ...session, created_at, expires_at: created_at + 30 * DAY_MS });
    },
  },
  {
    table: 'undo_links',
    days: 7,
    add(db, user_id, created_at) {
      const link = { token_hash: 'x', user_id, before: '{}' };
      return insertRow({ db }, 'undo_links', { ...link, created_at, expires_at: created_at + 7 * DAY_MS });
    },
  },
  {
    table: 'sound_changes',
    days: 7,
    add: async (db, user_id, changed_at) => {
      const { id: type_id } = await getRow({ db }, 'sound_types');
      const audio = { audio_key: 'x', audio_mime: '', audio_size: 1, type_id };
      const times = { created_at: changed_at, updated_at: changed_at };
      await insertRow({ db }, 'sounds', { id: 'x', artist_id: user_id, ...audio, ...times });
      const { seq: sound_seq } = await getRow({ db }, 'sounds', { id: 'x' });
      const change = { sound_seq, artist_id: user_id, way: 'edit', before: '{}', changed_at };
      await insertRow({ db }, 'sound_changes', change);
    },
  },
  {
    table: 'registrations',
    days: 1,
    add(db, _, created_at) {
      const name = { id: 'x', username: 'x', username_key: 'x', username_skeleton: 'x' };
      const keys = { email: 'x', email_key: 'x', password_hash: '', token_hash: 'x' };
      const times = { created_at, expires_at: created_at + DAY_MS };
      return insertRow({ db }, 'registrations', { ...name, ...keys, ...times });
    },
  },
  {
    table: 'password_failures',
    days: 1,
    add(db, _, since) {
      const failure = { account: 'x', source: 'x', provider: '', failures: 1 };
      return insertRow({ db }, 'password_failures', { ...failure, since, failed_at: since });
    },
  },
  {
    table: 'member_traces',
    days: 30,
    add: (db, user_id, seen_at) =>
      insertRow({ db }, 'member_traces', { subject: 'visitor:x', user_id, seen_at }),
  },
  {
    table: 'download_intents',
    days: 1,
    add(db, user_id, created_at) {
      const unwatched = { is_repeat: 0, needed_ms: null, watching_since: null, completed_at: null } as const;
      const intent = { id: 'x', sound_id: 'x', visitor: 'x', user_id, created_at };
      return insertRow({ db }, 'download_intents', { ...intent, ...unwatched });
    },
  },
];

describe.each(bothDatabases)('retention on $name', ({ open }) => {
  const { database, api } = useApi(open);

  async function runJobs(): Promise<void> {
    for (const job of api.scheduledJobs) await job.run();
  }
  const count = async (table: keyof Schema) =>
    (await everyTable(database.db).selectFrom(table).selectAll().execute()).length;

  test.each(KINDS)('keeps a row of $table for $days days, and no longer', async ({ table, days, add }) => {
    const userId = await addPayee(database, 'member');
    await add(database.db, userId, api.clock.now());
    api.clock.advance(days * DAY_MS - HOUR_MS);
    await runJobs();
    expect(await count(table)).toBe(1);
    api.clock.advance(2 * HOUR_MS);
    await runJobs();
    expect(await count(table)).toBe(0);
  });

  test('keeps the address of a sent mail for 30 days, and no longer', async () => {
    const outbox = createOutbox({
      database,
      transport: { send: () => Promise.resolve({ note: '' }), close: () => Promise.resolve() },
      clock: api.clock,
      log: pino({ level: 'silent' }),
    });
    const { signal } = new AbortController();
    await api.post('/api/contact/', { name: '名前', email: 'a@example.test', message: '本文です。' });
    await outbox.sendDue(signal);
    api.clock.advance(30 * DAY_MS - HOUR_MS);
    await outbox.sendDue(signal);
    expect(await count('mail_outbox')).toBe(1);
    api.clock.advance(2 * HOUR_MS);
    await outbox.sendDue(signal);
    expect(await count('mail_outbox')).toBe(0);
  });

  test('keeps undecided submissions, and decided ones whose files are not destroyed yet', async () => {
    const user_id = await addPayee(database, 'member');
    const rows = [
      { id: 'pending', state: 'pending', object_key: null, decided_at: null },
      { id: 'kept', state: 'rejected', object_key: 'image', decided_at: 1 },
      { id: 'old', state: 'rejected', object_key: null, decided_at: 1 },
    ] as const;
    await insertMany(
      database,
      'personal_info_submissions',
      rows.map((row) => ({ ...DECIDED, ...row, user_id, submitted_at: api.clock.now() })),
    );
    const job = api.scheduledJobs.find(({ name }) => name === 'records of decided IDs');
    await job?.run();
    const left = await listRows(database, 'personal_info_submissions');
    expect(left.map(({ id }) => id).toSorted()).toEqual(['kept', 'pending']);
  });

  test('deletes any number of rows in one run', async () => {
    const rows = Array.from({ length: 1_203 }, (_, index) => index);
    const old = api.clock.now() - 400 * DAY_MS;
    await insertMany(
      database,
      'contact_messages',
      rows.map((id) => ({ id: `${id}`, name: '', email: '', message: '', user_id: null, created_at: old })),
    );
    await Promise.all([runJobs(), runJobs()]); // two processes
    expect(await count('contact_messages')).toBe(0);
  });

  test('deletes the oldest rows first, and only those that a further condition selects', async () => {
    const { db } = database;
    const subjects = ['artist:a', 'host:b', 'host:c'];
    const counts = { downloads: 1, counted: 0, credits: 0 };
    const values = [5, 3, 4].flatMap((day) => subjects.map((subject) => ({ subject, day, ...counts })));
    await insertMany(database, 'download_counts', values);
    const old = {
      table: 'download_counts',
      key: ['subject', 'day'],
      when: ['day', '<=', 4],
      also: (where) => where('subject', 'like', 'host:%'),
    } satisfies OlderRows<'download_counts'>;
    expect(await deleteSomeOlder(db, old, 2)).toBe(2);
    const read = async () => {
      const counted = await listRows(database, 'download_counts');
      return counted.map(({ day, subject }) => `${day} ${subject}`).toSorted();
    };
    const left = ['5 artist:a', '5 host:b', '5 host:c'];
    expect(await read()).toEqual(['3 artist:a', '4 artist:a', '4 host:b', '4 host:c', ...left]);
    expect(await deleteOlder(db, old)).toBe(2);
    expect(await read()).toEqual(['3 artist:a', '4 artist:a', ...left]);
    expect(await deleteOlder(db, { ...old, skipsLocked: true })).toBe(0);
  });

  test('leaves the books, the counts and the statements as they were', async () => {
    const { artistId, soundId } = await addArtist(database);
    expect(await createVisitor(api).download(soundId)).toBe(200);
    const { db } = database;
    const readAll = async () => ({
      statement: await readStatement(database.db, artistId, '2026-04'),
      accounts: await everyTable(db).selectFrom('ledger_accounts').selectAll().orderBy('id').execute(),
      entries: await everyTable(db).selectFrom('ledger_entries').selectAll().orderBy('seq').execute(),
      months: await listRows({ db }, 'artist_months'),
      sounds: await listRows({ db }, 'sounds', {}, ['download_count', 'favorite_count']),
    });
    const before = await readAll();
    expect(before.statement.reward).toBe(1);
    for (const days of [1, 30, 400, 4_000]) {
      api.clock.advance(days * DAY_MS);
      await runJobs();
      expect(await verifyLedger(db)).toEqual([]);
    }
    expect(await count('download_intents')).toBe(0);
    expect(await count('address_keys')).toBe(0);
    expect(await listRows({ db }, 'download_credits', {}, ['visitor', 'network'])).toEqual([
      { visitor: null, network: null },
    ]);
    expect(await readAll()).toEqual(before);
  });
});

test('a batch never changes more rows than its limit', async () => {
  let left = 1_203;
  const limits: number[] = [];
  await changeInBatches(async (limit) => {
    limits.push(limit);
    const changed = Math.min(limit, left);
    left -= changed;
    return changed;
  });
  expect(left).toBe(0);
  expect(limits).toEqual([500, 500, 500]);
});
