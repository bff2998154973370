import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Visitors' reports of sounds, with what happened to each. */
export const reports: Migration = {
  name: '0029-reports',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table reports (
    id text primary key,
    sound_id text not null,
    sound_title text not null,
    artist_id text references users (id) on delete set null,
    reason text not null check (reason in ('copyright', 'likeness', 'terms', 'other')),
    name text not null,
    email text not null,
    email_key text not null,
    explanation text not null,
    relation text not null default '',
    shares_name integer not null check (shares_name in (0, 1)),
    network text not null,
    secret_hash text not null unique,
    state text not null check (state in ('unconfirmed', 'waiting', 'waiting-hidden', 'answered',
      'answered-hidden', 'unanswered', 'unanswered-hidden', 'hidden', 'deleted', 'dismissed', 'restored',
      'lapsed', 'gone')),
    is_confirmed integer not null default 0 check (is_confirmed in (0, 1)),
    version integer not null default 0,
    due_at bigint,
    answer text not null default '',
    was_hidden integer not null default 0 check (was_hidden in (0, 1)),
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index reports_sound on reports (sound_id, state)`,
  `create index reports_artist on reports (artist_id, created_at)`,
  `create index reports_state on reports (state, created_at, id)`,
  `create index reports_due on reports (due_at) where due_at is not null`,
  `create index reports_network on reports (network, state)`,
  `create table report_events (
    report_id text not null references reports (id) on delete cascade,
    version integer not null,
    event text not null,
    state text not null,
    at bigint not null,
    reason text not null default '',
    primary key (report_id, version)
  )`,
];
