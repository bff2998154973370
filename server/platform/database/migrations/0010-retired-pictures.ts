import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Replaced pictures; deleted once no cached page can refer to them. */
export const retiredPictures: Migration = {
  name: '0010-retired-pictures',
  async up(db) {
    await sql`create table retired_pictures (
      picture_key text primary key,
      kind text not null,
      retired_at bigint not null
    )`.execute(db);
    await sql`create index retired_pictures_age on retired_pictures (retired_at)`.execute(db);
  },
};
