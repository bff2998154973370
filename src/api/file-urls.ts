/** The reply fields that name files (spec §3). */
const FILE_FIELDS = new Set([
  'file_url',
  'thumbnail_url',
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
 * Completes the file addresses of a reply: a host on another origin may name its files by a path, which is relative to
 * its own origin.
 */
export function resolveFileUrls(reply: unknown, origin: string): unknown {
  if (Array.isArray(reply)) return reply.map((item) => resolveFileUrls(item, origin));
  if (typeof reply !== 'object' || reply === null) return reply;
  return Object.fromEntries(
    Object.entries(reply).map(([key, value]) => [
      key,
      typeof value === 'string' && FILE_FIELDS.has(key) && /^\/(?!\/)/.test(value)
        ? origin + value
        : resolveFileUrls(value, origin),
    ]),
  );
}
