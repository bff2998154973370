import type { MemberErasure } from '../member-erasure.ts';
import type { Db } from './tables.ts';

/** A certificate stays for whoever has its link. */
export const CERTIFICATES_ERASURE: MemberErasure = {
  async rows(db: Db, { id }) {
    await db.updateTable('certificates').set({ user_id: null }).where('user_id', '=', id).execute();
  },
};
