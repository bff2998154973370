import type { MemberErasure } from '../member-erasure.ts';
import { forfeitBalance } from './postings.ts';
import type { Db } from './tables.ts';

export const LEDGER_ERASURE: MemberErasure = {
  balances: (transaction, { id }, nowMs) => forfeitBalance(transaction, id, nowMs),

  async rows(db: Db, { id }) {
    await db
      .updateTable('transfer_requests')
      .set({ email: '', reason: '' })
      .where('user_id', '=', id)
      .execute();
  },
};
