import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Which sounds are similar to each public one, and how the sounds of each type vary. All that have been measured are
 * still to be compared.
 */
export const similarSounds: Migration = {
  name: '0043-similar-sounds',
  async up(db) {
    await sql`create table sound_neighbours (
      sound_seq integer primary key references sounds (seq) on delete cascade,
      type_id integer not null references sound_types (id),
      compared_at bigint not null default 0,
      neighbours text not null default ''
    )`.execute(db);
    await sql`create index sound_neighbours_compared on sound_neighbours (type_id, compared_at, sound_seq)`.execute(
      db,
    );
    await sql`create table similarity_models (
      type_id integer primary key references sound_types (id) on delete cascade,
      version integer not null,
      sounds integer not null,
      seen integer not null,
      model text not null,
      round_at bigint not null,
      changed_at bigint not null
    )`.execute(db);
    await sql`insert into sound_neighbours (sound_seq, type_id)
      select seq, type_id from sounds join sound_features on sound_features.sound_seq = sounds.seq
      where is_published = 1 and numbers is not null`.execute(db);
  },
};
