import type { MemberErasure } from '../member-erasure.ts';
import type { Db } from './tables.ts';

export const USES_ERASURE: MemberErasure = {
  /** What the member reported; what others reported of their sounds went with the sounds. */
  async uses(db: Db, { id }) {
    await db.deleteFrom('use_mails').where('user_id', '=', id).execute();
    await db
      .deleteFrom('uses')
      .where('certificate_id', 'in', (query) =>
        query.selectFrom('certificates').select('id').where('user_id', '=', id),
      )
      .execute();
  },
};
