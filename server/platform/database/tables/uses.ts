import { sql } from 'kysely';
import type { UseState } from '../../../../contract/uses.ts';
import type { Migration } from '../migrations/migration.ts';
import { TEXT } from './parts.ts';

/** A work in which someone used a sound. It goes with the sound, and with the account of whoever told of it. */
export interface UsesTable {
  id: string;
  /** The proof that the sound was downloaded; the artist never sees it. */
  certificate_id: string;
  sound_id: string;
  artist_id: string;
  address: string;
  title: string;
  message: string;
  state: UseState;
  created_at: number;
  /** When the state last changed. */
  changed_at: number;
}

/** Artists who want a weekly mail about new uses. */
export interface UseMailsTable {
  user_id: string;
  /** Until when uses were looked at for a mail. */
  checked_at: number;
}

export interface UseTables {
  uses: UsesTable;
  use_mails: UseMailsTable;
}

export const uses: Migration = {
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
export const usesWithoutMonth: Migration = {
  name: '0009-uses-without-month',
  async up(db) {
    await sql`alter table uses drop column month`.execute(db);
  },
};
