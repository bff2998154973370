import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { DatabaseVersionError } from '../platform/database/migrations/migrate.ts';
import type { DialectName, Migration } from '../platform/database/migrations/migration.ts';

/**
 * Databases from before the baseline of 26 November 2026 call themselves 1.3.0 as well. They are recognised by the names of
 * their migrations, and migrated from the last one that a program of 24 November makes (decision 195).
 */
const FIRST_BEFORE_BASELINE = '0001-first-tables';
const REQUIRED = '0046-true-peaks';
const REPORT_FLOODS = '0050-report-floods';
const DELETED_SOUNDS = '0051-deleted-sounds';
const KNOWN = new Set([REQUIRED, '0047-plain-tempo', REPORT_FLOODS, DELETED_SOUNDS]);

/**
 * The migration, with the name of the first of this program, that makes the baseline of such a database out of the
 * statements of the first one; undefined for any other database.
 */
export function toBaseline(
  applied: ReadonlySet<string>,
  name: string,
  toStatements: (dialect: DialectName) => readonly string[],
): Migration | undefined {
  if (!applied.has(FIRST_BEFORE_BASELINE)) return undefined;
  if (!applied.has(REQUIRED) || [...applied].some((each) => each > REQUIRED && !KNOWN.has(each)))
    throw new DatabaseVersionError(
      `the database was made before 26 November 2026 (it has the migration ${FIRST_BEFORE_BASELINE}), and its last migration is ` +
        `${[...applied].toSorted().at(-1)}; this program migrates from ${REQUIRED} to ${DELETED_SOUNDS}: start the program of commit e83f58b once, ` +
        'then this one',
    );
  return {
    name,
    async up(db, dialect) {
      if (!applied.has(REPORT_FLOODS)) await run(db, REPORT_COLUMNS);
      if (!applied.has(DELETED_SOUNDS)) await run(db, SOUND_COLUMNS);
      const statements = toStatements(dialect);
      for (const { tables, copies } of REBUILT) {
        for (const table of tables)
          await run(db, [`create table old_${table} as select * from ${table}`, `drop table ${table}`]);
        await run(db, pick(statements, tables));
        await run(db, copies);
        await run(
          db,
          tables.map((table) => `drop table old_${table}`),
        );
      }
      await run(db, QUEUES);
      await run(db, pick(statements, ['sound_pronunciations', 'unpronounced_sounds']));
      await run(db, pick(statements, ['undecoded_sounds']));
      await run(db, TO_DECODE);
      await run(db, ['delete from migrations']);
    },
  };
}

interface Rebuilt {
  /** In the order in which they are dropped: what refers to others first. */
  readonly tables: readonly string[];
  readonly copies: readonly string[];
}

const REBUILT: readonly Rebuilt[] = [
  {
    // PostgreSQL has its constraints under the name that the table had before.
    tables: ['unindexed_artists'],
    copies: [
      `insert into unindexed_artists (user_id, change_id, after_seq)
          select user_id, change_id, after_seq from old_unindexed_artists`,
    ],
  },
  {
    tables: ['unclaimed_files', 'upload_pieces'],
    copies: [
      `insert into unclaimed_files (file_key, kind, state, state_since)
          select file_key, kind, case is_doomed when 1 then 'removed' else 'incoming' end, noted_at
          from old_unclaimed_files`,
      `insert into upload_pieces (id, upload_id, start_byte, size_bytes, state, state_since)
          select id, upload_id, start_byte, size_bytes, case state when 'doomed' then 'removed' else state end, noted_at
          from old_upload_pieces`,
    ],
  },
  {
    tables: ['personal_info_views', 'personal_info_submissions'],
    copies: [
      `insert into personal_info_submissions
            (id, user_id, object_key, state, submitted_at, decided_at, decided_by, reason)
          select id, user_id, object_key, case state when 'confirmed' then 'approved' else state end,
            submitted_at, decided_at, decided_by, reason
          from old_personal_info_submissions`,
      `insert into personal_info_views (submission_id, staff_id, viewed_at, details_hash)
          select submission_id, staff_id, viewed_at, details_hash from old_personal_info_views`,
    ],
  },
];

/** The statements that make these tables, their indexes and their triggers; functions are there already. */
function pick(statements: readonly string[], tables: readonly string[]): string[] {
  const pattern = new RegExp(
    String.raw`^create table (?:${tables.join('|')}) |^create (?!table|function)[^(]*? on (?:${tables.join('|')})\b`,
  );
  return statements.filter((statement) => pattern.test(statement));
}

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const REPORT_COLUMNS = [
  `alter table reports add column source text not null default ''`,
  `alter table reports add column asking text not null default 'asked'`,
  `alter table reports add column asked_at bigint`,
  `create index reports_artist_state on reports (artist_id, state)`,
  `create index reports_asking on reports (asking, state, created_at, id) where asking <> 'asked'`,
];

const SOUND_COLUMNS = [
  `alter table sounds add column deleted_at bigint`,
  `create index sounds_deleted on sounds (artist_id, deleted_at) where deleted_at is not null`,
  `drop index sounds_artist_content`,
  `create index sounds_artist_content on sounds (artist_id, content_hash)`,
  `alter table undo_links add column mail_id text`,
];

/** The migrations after the baseline have all sounds pronounced and decoded again. */
const QUEUES = [
  `create table old_unread_waveforms as select * from unread_waveforms`,
  ...['notice_imports', 'sound_readings', 'unread_sounds', 'unmeasured_sounds', 'unread_waveforms'].map(
    (table) => `drop table ${table}`,
  ),
];

const TO_DECODE = [
  `insert into undecoded_sounds (sound_seq, is_fresh, attempts, state, failed_version)
    select sound_seq, 1, attempts, case state when 'failed' then 'failed' else 'waiting' end, failed_version
    from old_unread_waveforms`,
  `drop table old_unread_waveforms`,
];
