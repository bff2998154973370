import { deleteTraces } from '../visitors/member-traces.ts';
import type { MemberErasure } from '../member-erasure.ts';
import { toArtistSubject, toMemberSubject } from './counts.ts';
import type { Db } from './tables.ts';

export const DOWNLOADS_ERASURE: MemberErasure = {
  /** Rejects those that wait for the staff: nobody could receive them. */
  async credits(db: Db, { id }, nowMs) {
    await db
      .updateTable('download_credits')
      .set({ state: 'rejected', reason: 'account deleted', decided_at: nowMs })
      .where('artist_id', '=', id)
      .where('state', '=', 'held')
      .execute();
  },

  async rows(transaction, { id }) {
    await deleteTraces(transaction, id);
    const db: Db = transaction;
    await db.deleteFrom('download_intents').where('user_id', '=', id).execute();
    await db
      .deleteFrom('download_counts')
      .where('subject', 'in', [toMemberSubject(id), toArtistSubject(id)])
      .execute();
    await db
      .updateTable('download_credits')
      .set({ visitor: null, user_id: null, network: null })
      .where('user_id', '=', id)
      .execute();
  },
};
