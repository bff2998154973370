import type { MemberErasure } from '../member-erasure.ts';
import type { Db } from './tables.ts';

export const MAIL_ERASURE: MemberErasure = {
  /** A mail to somebody else that waits is still sent, and can be answered. */
  async rows(db: Db, { addresses }) {
    await db.deleteFrom('mail_outbox').where('to_address', 'in', addresses).execute();
    await db
      .updateTable('mail_outbox')
      .set({ reply_to: null })
      .where('reply_to', 'in', addresses)
      .where('state', '!=', 'waiting')
      .execute();
  },
};
