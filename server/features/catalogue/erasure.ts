import type { MemberErasure } from '../member-erasure.ts';
import { removeFavorites } from './favorites/service.ts';
import type { Db } from './tables.ts';

export const CATALOGUE_ERASURE: MemberErasure = {
  favorites: ({ database }, userId, ending) => removeFavorites(database, userId, ending),

  /** No sounds are left to index. */
  async rows(db: Db, { id }) {
    await db.deleteFrom('unindexed_artists').where('user_id', '=', id).execute();
  },
};
