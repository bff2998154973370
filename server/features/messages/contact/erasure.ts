import type { MemberErasure } from '../../member-erasure.ts';
import type { Db } from '../tables.ts';

/** Also of messages that were sent without a log-in. */
export const CONTACT_ERASURE: MemberErasure = {
  async rows(db: Db, { id, addresses }) {
    await db.deleteFrom('contact_messages').where('user_id', '=', id).execute();
    await db.deleteFrom('contact_messages').where('email', 'in', addresses).execute();
  },
};
