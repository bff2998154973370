import { DAY_MS } from '../../contract/values/time-units.ts';
import type { PublicSettings } from './public-settings.ts';

/** The text is rendered from the settings, so it is always current; readers fetch it again within this time. */
const VALID_DAYS = 90;

interface Circumstances {
  /** Whether the site's contact page can be written to. */
  readonly hasContactPage: boolean;
  readonly now: Date;
}

/**
 * The text of `/.well-known/security.txt`. Null without TLS, which RFC 9116 §3 requires, and where nobody can be named.
 * It expires at midnight, so that it is the same all day.
 */
export function toSecurityText(
  {
    siteUrl,
    securityContact,
    securityPolicy,
  }: Pick<PublicSettings, 'siteUrl' | 'securityContact' | 'securityPolicy'>,
  { hasContactPage, now }: Circumstances,
): string | null {
  const contact = securityContact || (hasContactPage ? `${siteUrl}/contact` : '');
  if (contact === '' || !siteUrl.startsWith('https:')) return null;
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const fields = [
    ['Contact', contact],
    ['Expires', new Date(today + VALID_DAYS * DAY_MS).toISOString()],
    ['Preferred-Languages', 'ja, en'],
    ['Canonical', `${siteUrl}/.well-known/security.txt`],
    ...(securityPolicy === '' ? [] : [['Policy', securityPolicy]]),
  ];
  return fields.map(([name, value]) => `${name}: ${value}\n`).join('');
}
