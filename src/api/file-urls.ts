import { parseUrl } from '../../contract/values/urls.ts';

/** The reply fields that name files (spec §3). */
const FILE_FIELDS = new Set([
  'file_url',
  'thumbnail_url',
  'share_picture_url',
  'user_profile_picture',
  'profile_picture',
  'profile_background',
  'navbar_logo',
  'navbar_sp_logo',
  'footer_logo',
  'footer_banner',
  'url',
]);

/**
 * Completes the file addresses of a reply, in place: a host on another origin may name its files relative to its own
 * origin, with or without a leading slash.
 */
export function resolveFileUrls(reply: unknown, origin: string): void {
  if (typeof reply !== 'object' || reply === null) return;
  const fields = reply as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (typeof value === 'object') resolveFileUrls(value, origin);
    else if (typeof value === 'string' && FILE_FIELDS.has(key) && value.trim())
      fields[key] = parseUrl(value, origin)?.href ?? value;
  }
}
