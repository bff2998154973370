import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * A hash of the details that an ID was compared with when the staff viewed it; '' when its image could not be opened.
 */
export const personalInfoDetails: Migration = {
  name: '0016-personal-info-details',
  async up(db) {
    await sql`alter table personal_info_views add column details_hash text not null default ''`.execute(db);
  },
};
