import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';
import { TEXT, flag } from '../../platform/database/tables/parts.ts';

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
    relation ${TEXT},
    shares_name integer not null check (shares_name in (0, 1)),
    network text not null,
    source ${TEXT},
    secret_hash text not null unique,
    state text not null check (state in ('unconfirmed', 'waiting', 'waiting-hidden', 'answered',
      'answered-hidden', 'unanswered', 'unanswered-hidden', 'hidden', 'deleted', 'dismissed', 'restored',
      'lapsed', 'gone')),
    ${flag('is_confirmed')},
    version integer not null default 0,
    due_at bigint,
    asking text not null default 'asked',
    asked_at bigint,
    answer ${TEXT},
    ${flag('was_hidden')},
    created_at bigint not null,
    updated_at bigint not null
  )`,
  `create index reports_sound on reports (sound_id, state)`,
  `create index reports_artist on reports (artist_id, created_at)`,
  `create index reports_artist_state on reports (artist_id, state)`,
  `create index reports_state on reports (state, created_at, id)`,
  `create index reports_asking on reports (asking, state, created_at, id) where asking <> 'asked'`,
  `create index reports_due on reports (due_at) where due_at is not null`,
  `create index reports_network on reports (network, state)`,
  `create table report_events (
    report_id text not null references reports (id) on delete cascade,
    version integer not null,
    event text not null,
    state text not null,
    at bigint not null,
    reason ${TEXT},
    primary key (report_id, version)
  )`,
];

export const reportMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
};
