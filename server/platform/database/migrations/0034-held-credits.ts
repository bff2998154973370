import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * The staff's list of held credits by day in Japan and artist is read from this index alone, in its order. `state` is in
 * it because SQLite would prefer another index otherwise.
 */
export const heldCredits: Migration = {
  name: '0034-held-credits',
  async up(db) {
    await sql
      .raw(
        `create index download_credits_held on download_credits
          (state, ((created_at + 32400000) / 86400000), artist_id, created_at, reason, yen) where state = 'held'`,
      )
      .execute(db);
  },
};
