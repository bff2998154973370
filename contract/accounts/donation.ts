import { parseUrl } from '../values/urls.ts';

/**
 * The URL of a donation link, or null for one that must not be shown (spec §5). It must use https or have no protocol,
 * its host must be `host`, optionally with `www.`, and it must have at least one path segment.
 */
export function toDonationUrl(text: string, host: string): string | null {
  const trimmed = text.trim();
  if (trimmed === '' || /[\s\\]/.test(trimmed)) return null;
  const url = parseUrl(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.port !== '') return null;
  if (url.username !== '' || url.password !== '') return null;
  if (url.hostname !== host && url.hostname !== `www.${host}`) return null;
  if (!/^\/+[^/]/.test(url.pathname)) return null;
  url.protocol = 'https:';
  return url.href;
}
