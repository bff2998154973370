import type { Mail } from '../../platform/mail/mail.ts';
import { escapeHtml, toMailHtml } from '../mail/mail.ts';

/** To the operator, once for a series of failures. `lastMs`: the last backup, epoch ms; null for none. */
export function toFailureMail(
  { siteName, siteUrl }: { readonly siteName: string; readonly siteUrl: string },
  to: string,
  { message, lastMs }: { readonly message: string; readonly lastMs: number | null },
): Mail {
  const subject = `【${siteName}】バックアップに失敗しました`;
  const paragraphs = [
    '自動バックアップに失敗しました。1時間ごとに、もう一度試みます。次に成功するまで、このお知らせは再送しません。',
    `理由: ${message}`,
    `最後に成功したバックアップ: ${lastMs === null ? 'なし' : new Date(lastMs).toISOString()}`,
    `${siteName}\n${siteUrl}`,
  ];
  return {
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: toMailHtml(
      subject,
      paragraphs.map((each) => `<p>${escapeHtml(each).replaceAll('\n', '<br>')}</p>`).join('\n'),
    ),
  };
}
