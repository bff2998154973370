import { artistPath, contentPath, soundPath } from './paths.ts';
import { type SoundFilters, parseSoundFilters, toSoundsUrl } from './sound-filters.ts';

/**
 * Pages whose HTML depends on their path alone. What stands in their query is read in the browser.
 * `tests/src/lib/page-targets.test.ts` compares this list with src/pages.
 */
export const PLAIN_PAGES: ReadonlySet<string> = new Set([
  '/',
  '/404',
  '/500',
  '/contact',
  '/forgot-password',
  '/legal/external-transmission',
  '/login',
  '/maintenance',
  '/member-terms',
  '/privacy-policy',
  '/profile',
  '/profile/statement',
  '/register',
  '/reset-password',
  '/robots.txt',
  '/sitemap.xml',
  '/unavailable',
  '/undo',
]);

/** Longer ids and names are nobody's; the API takes usernames of up to 150 characters. */
const ID_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 150;
/** More of a query is not read: decoding 90 KB of parameters takes longer than some pages. */
const PARAMETERS_MAX = 32;
const PARAMETER_LENGTH_MAX = 2_000;
/** No sound, artist or page has this name: its page is the 404 page under the policy of its route. */
const NOBODY = '-';

export interface PageTargetOptions {
  /** Whether a text can be a sound's id on this host; any text can where the API is another host's. */
  readonly isSoundId?: ((id: string) => boolean) | undefined;
}

/**
 * The one address of all addresses that show the same page: what is rendered, and the key that the
 * page is cached under. Parameters that the page does not read, malformed ones and defaults are
 * gone, the others are in the page's own order. An address without a route becomes `/404`.
 */
export function toPageTarget(path: string, query: string, { isSoundId }: PageTargetOptions = {}): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (PLAIN_PAGES.has(plain)) return plain;
  if (plain === '/sounds') return query === '' ? plain : toSoundsUrl(parse(query));
  const [, route, name = ''] = /^\/(sounds|artist|content)\/([^/]+)$/.exec(plain) ?? [];
  const text = decode(name);
  if (route === 'sounds') {
    return soundPath(canBeName(text, ID_LENGTH_MAX) && (isSoundId?.(text) ?? true) ? text : NOBODY);
  }
  if (route === 'content') return contentPath(canBeName(text, ID_LENGTH_MAX) ? text : NOBODY);
  if (route !== 'artist') return '/404';
  const artist = artistPath(canBeName(text, NAME_LENGTH_MAX) ? text : NOBODY);
  return query === '' ? artist : artist + toArtistQuery(parse(query));
}

/** An artist's page shows one page of the artist's sounds, of one type or of all. */
function toArtistQuery({ type, page }: SoundFilters): string {
  const params = new URLSearchParams();
  if (type !== null) params.set('type', type);
  if (page > 1) params.set('page', String(page));
  return params.size === 0 ? '' : `?${params.toString()}`;
}

function parse(query: string): SoundFilters {
  const parameters = query.split('&', PARAMETERS_MAX).map((text) => text.slice(0, PARAMETER_LENGTH_MAX));
  return parseSoundFilters(new URLSearchParams(parameters.join('&')));
}

function canBeName(text: string, lengthMax: number): boolean {
  return text !== '' && text.length <= lengthMax && !/[\p{Cc}\ufffd]/u.test(text);
}

/** '' for what is no percent-encoded text. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}
