import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Applications for the quality check (spec §2), and the record of staff actions on the command line. An application is
 * `incoming` while its files are being stored, so that no file exists without a row. A decided one keeps the keys of
 * its files until they are deleted.
 */
export const qualityCheck: Migration = {
  name: '0008-quality-check',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table quality_checks (
    id text primary key,
    user_id text not null references users (id),
    state text not null check (state in ('incoming', 'pending', 'approved', 'rejected')),
    submitted_at bigint not null,
    decided_at bigint,
    decided_by text references users (id),
    reason text not null default '',
    check ((state in ('approved', 'rejected')) = (decided_at is not null))
  )`,
  `create index quality_checks_user on quality_checks (user_id, submitted_at)`,
  `create unique index quality_checks_pending on quality_checks (user_id) where state = 'pending'`,
  `create index quality_checks_state on quality_checks (state, submitted_at)`,
  `create table quality_check_types (
    quality_check_id text not null references quality_checks (id) on delete cascade,
    type_id integer not null references sound_types (id) on delete cascade,
    primary key (quality_check_id, type_id)
  )`,
  `create table quality_check_files (
    quality_check_id text not null references quality_checks (id) on delete cascade,
    slot integer not null check (slot between 1 and 6),
    object_key text,
    filename text not null,
    mime text not null,
    size_bytes bigint not null,
    duration_ms bigint not null,
    bit_rate integer not null,
    sample_rate integer not null,
    sha256 text not null,
    primary key (quality_check_id, slot)
  )`,
  `create index quality_check_files_kept on quality_check_files (quality_check_id) where object_key is not null`,
  `create table operator_actions (
    id text primary key,
    staff_id text references users (id),
    action text not null,
    subject text not null,
    at bigint not null,
    note text not null default ''
  )`,
  `create index operator_actions_at on operator_actions (at)`,
  `create index operator_actions_subject on operator_actions (subject, at)`,
];
