import type { MemberErasure } from '../member-erasure.ts';
import type { Db } from './tables.ts';

export const REPORTS_ERASURE: MemberErasure = {
  /** The report stays for its reporter and the staff. */
  async rows(db: Db, { id }) {
    await db
      .updateTable('reports')
      .set({ artist_id: null, answer: '' })
      .where('artist_id', '=', id)
      .execute();
  },
};
