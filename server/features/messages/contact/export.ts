import { EXPORT_ROWS_MAX, memberFile, toTimeCell } from '../../member-export.ts';
import type { Db } from '../tables.ts';

export const CONTACT_FILE = memberFile(80, 'お問い合わせ', selectMessages, [
  ['日時', ({ created_at }) => toTimeCell(created_at)],
  ['お名前', ({ name }) => name],
  ['メールアドレス', ({ email }) => email],
  ['内容', ({ message }) => message],
]);

function selectMessages(db: Db, userId: string) {
  return db
    .selectFrom('contact_messages')
    .select(['created_at', 'name', 'email', 'message'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(EXPORT_ROWS_MAX)
    .execute();
}
