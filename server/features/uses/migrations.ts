import { sql } from 'kysely';
import type { FeatureMigrations, Migration } from '../../platform/database/migrations/migration.ts';
import { TEXT } from '../../platform/database/tables/parts.ts';

const uses: Migration = {
  name: '0008-uses',
  async up(db) {
    await sql`create table uses (
      id text primary key,
      certificate_id text not null references certificates (id) on delete cascade,
      sound_id text not null references sounds (id) on delete cascade,
      artist_id text not null references users (id) on delete cascade,
      address text not null,
      title text not null,
      message ${sql.raw(TEXT)},
      state text not null check (state in ('waiting', 'confirmed', 'hidden', 'reported')),
      created_at bigint not null,
      month text not null,
      changed_at bigint not null,
      unique (certificate_id, address)
    )`.execute(db);
    await sql`create index uses_sound on uses (sound_id, state, created_at, id)`.execute(db);
    await sql`create index uses_artist on uses (artist_id, state, created_at, id)`.execute(db);
    await sql`create index uses_state on uses (state, created_at, id)`.execute(db);
    await sql`create index uses_changed on uses (state, changed_at)`.execute(db);
    await sql`create table use_mails (
      user_id text primary key references users (id) on delete cascade,
      checked_at bigint not null
    )`.execute(db);
    await sql`create index use_mails_checked on use_mails (checked_at)`.execute(db);
  },
};

/** Statistics count uses by `created_at`, as they count the rest. */
const usesWithoutMonth: Migration = {
  name: '0009-uses-without-month',
  async up(db) {
    await sql`alter table uses drop column month`.execute(db);
  },
};

export const useMigrations: FeatureMigrations = {
  later: [uses, usesWithoutMonth],
};
