import { formatDateTime } from '../../../contract/values/date-times.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Sender } from '../mail/layout.ts';

/** To the operator, once for a series of failures. `lastMs`: the last backup, epoch ms; null for none. */
export function toFailureMail(
  sender: Sender,
  to: string,
  { message, lastMs }: { readonly message: string; readonly lastMs: number | null },
): Mail {
  return toMail(sender, to, 'バックアップに失敗しました', [
    '自動バックアップに失敗しました。1時間ごとに、もう一度試みます。次に成功するまで、このお知らせは再送しません。',
    `理由: ${message}`,
    `最後に成功したバックアップ: ${lastMs === null ? 'なし' : formatDateTime(lastMs)}`,
  ]);
}

/** The same for copies in the bucket. */
export function toCopyFailureMail(
  sender: Sender,
  to: string,
  { message, last }: { readonly message: string; readonly last: { readonly atMs: number } | null },
): Mail {
  return toMail(sender, to, 'バックアップの外部コピーに失敗しました', [
    'バックアップは作成できましたが、外部のバケットへの送信に失敗しました。1時間ごとに、もう一度試みます。次に成功するまで、このお知らせは再送しません。',
    `理由: ${message}`,
    `最後に成功した送信: ${last === null ? 'なし' : formatDateTime(last.atMs)}`,
  ]);
}

/** To the operator, after each scheduled backup that cannot be restored as it is. */
export function toFaultsMail(
  sender: Sender,
  to: string,
  { path, faults }: { readonly path: string; readonly faults: readonly string[] },
): Mail {
  return toMail(sender, to, 'バックアップに問題があります', [
    '新しいバックアップを復元と同じ手順で読み取ったところ、問題が見つかりました。それまでのバックアップは残してあります。',
    `バックアップ: ${path}`,
    faults.join('\n'),
  ]);
}
