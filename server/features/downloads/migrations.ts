import type { FeatureMigrations } from '../../platform/database/migrations/migration.ts';
import { TEXT, count, flag } from '../../platform/database/tables/parts.ts';

const STATEMENTS = [
  `create table download_intents (
    id text primary key,
    sound_id text not null,
    visitor text not null,
    user_id text references users (id) on delete set null,
    is_repeat integer not null check (is_repeat in (0, 1)),
    notice ${TEXT},
    needed_ms integer,
    ${count('watched_ms')},
    watching_since bigint,
    ${flag('is_granted')},
    created_at bigint not null,
    completed_at bigint,
    certificate_id text
  )`,
  `create index download_intents_visitor on download_intents (visitor, sound_id)`,
  `create index download_intents_member on download_intents (user_id, sound_id)`,
  `create index download_intents_age on download_intents (created_at)`,
  // No reference to sounds: earnings outlive them.
  `create table download_credits (
    id text primary key,
    intent_id text not null unique,
    sound_id text not null,
    artist_id text not null references users (id),
    visitor text,
    user_id text references users (id) on delete set null,
    network text,
    state text not null check (state in ('credited', 'held', 'rejected', 'refused', 'reversed')),
    reason text not null,
    is_counted integer not null check (is_counted in (0, 1)),
    yen bigint not null check (yen >= 0),
    created_at bigint not null,
    decided_at bigint,
    decided_by text references users (id)
  )`,
  `create index download_credits_visitor on download_credits (visitor, sound_id)`,
  `create index download_credits_member on download_credits (user_id, sound_id)`,
  `create index download_credits_artist on download_credits (artist_id, state, created_at)`,
  `create index download_credits_state on download_credits (state, created_at)`,
  `create index download_credits_traced on download_credits (created_at) where visitor is not null`,
  // The staff's list of held credits by day in Japan and artist is read from this index alone, in its order. `state` is
  // in it because SQLite would prefer another index otherwise.
  `create index download_credits_held on download_credits
    (state, ((created_at + 32400000) / 86400000), artist_id, created_at, reason, yen) where state = 'held'`,
  `create table download_counts (
    subject text not null,
    day integer not null,
    downloads integer not null,
    counted integer not null,
    credits integer not null,
    approved integer not null default 0,
    primary key (subject, day)
  )`,
  `create index download_counts_day on download_counts (day)`,
];

export const downloadMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
};
