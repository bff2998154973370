import { formatDateTime } from '../../../contract/date-times.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { toMail } from '../mail/mail.ts';
import type { Part, Sender } from '../mail/mail.ts';

/** Before the link that brings the sounds back. */
export const IF_MISTAKEN =
  '誤って削除したときも、心当たりがないときも、次のリンクから元に戻せます。誤って削除したときは、パスワードはこれまでのまま使えます。';

/** Names the sounds, and when they will be erased; ends with the link that brings them back. */
export function toSoundsDeletedMail(
  sender: Sender,
  owner: { readonly username: string; readonly email: string },
  deleted: { readonly names: readonly string[]; readonly erasedAtMs: number },
  undo: readonly Part[],
): Mail {
  const { names, erasedAtMs } = deleted;
  return toMail(sender, owner.email, 'サウンドの削除を受け付けました', [
    `${owner.username} さん`,
    `次の${names.length.toLocaleString('ja-JP')}件のサウンドを削除しました。すでに、どのページにも表示されません。`,
    ...names.map((name) => `「${name}」`),
    `${formatDateTime(erasedAtMs)}（日本時間）以降に、ファイルとお気に入りも含めて完全に削除します。`,
    ...undo,
  ]);
}
