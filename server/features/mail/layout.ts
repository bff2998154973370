import type { Mail } from '../../platform/mail/port.ts';

/** The sender of mails. Links begin with `siteUrl`, never with the host name of a request. */
export interface Sender {
  readonly siteUrl: string;
  readonly siteName: string;
}

/** A paragraph, or a link with the text before it. */
export type Part = string | { readonly label: string; readonly url: string };

/** A mail with these parts, signed with the site's name. */
export function toMail(
  { siteName, siteUrl }: Sender,
  to: string,
  title: string,
  body: readonly Part[],
): Mail {
  const parts: readonly Part[] = [...body, { label: siteName, url: siteUrl }];
  const subject = `【${siteName}】${title}`;
  return {
    to,
    subject,
    text: `${parts.map(toText).join('\n\n')}\n`,
    html: toMailHtml(subject, parts.map(toHtml).join('\n')),
  };
}

function toText(part: Part): string {
  return typeof part === 'string' ? part : `${part.label}\n${part.url}`;
}

function toHtml(part: Part): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`;
  const url = escapeHtml(part.url);
  return `<p>${escapeHtml(part.label)}<br><a href="${url}">${url}</a></p>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

/** The HTML document of a mail. It loads no external resources. `title` is text, `body` is HTML. */
export function toMailHtml(title: string, body: string): string {
  return `<!doctype html>
<html lang="ja">
<head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:24px;font-family:sans-serif;line-height:1.7;color:#222">
${body}
</body>
</html>
`;
}
