import { CERTIFICATE_ID, LICENCE_HASH } from '../../contract/downloads/certificate-ids.ts';
import { CONSOLE_PAGES } from './console-pages.ts';
import { EMBED_SIZE } from './embed.ts';
import { toFragmentUrl } from '../lib/fragments.ts';
import { LAST_PAGE_ONLY } from '../lib/listing-fragment.ts';
import {
  artistFeedPath,
  artistPath,
  certificatePath,
  contentPath,
  embedPath,
  licencePath,
  readPathName,
  reportPath,
  soundPath,
  tellUsePath,
} from '../lib/paths.ts';
import {
  type SoundFilters,
  parseSoundFilters,
  toFeedUrl,
  toFiltersUrl,
  toSoundsUrl,
} from '../lib/sound-filters.ts';

/**
 * Pages whose HTML depends on their path alone. Their query is read in the browser.
 * `tests/src/render/page-targets.test.ts` compares this list with src/pages.
 */
export const PLAIN_PAGES: ReadonlySet<string> = new Set([
  '/',
  '/.well-known/change-password',
  '/.well-known/security.txt',
  '/404',
  '/contact',
  '/forgot-password',
  '/legal/external-transmission',
  '/login',
  '/manifest.json',
  '/member-terms',
  '/privacy-policy',
  '/profile',
  '/profile/reports',
  '/profile/sounds',
  '/profile/statement',
  '/profile/statistics',
  '/profile/uses',
  '/register',
  '/report',
  '/reset-password',
  '/robots.txt',
  '/sitemap.xml',
  '/undo',
]);

/** Pages that replace others, by a rewrite. At their own addresses they are `/404`. */
export const INTERNAL_PAGES: ReadonlySet<string> = new Set(['/500', '/maintenance', '/unavailable']);

/** No id or name is longer; the API accepts usernames of up to 150 characters. */
const ID_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 150;
/** Longer queries are not read: decoding 90 KB of parameters takes longer than rendering some pages. */
const PARAMETERS_MAX = 85;
const PARAMETER_LENGTH_MAX = 2_000;
/** The numbers of parts are bounded, so that invented ones do not fill a cache. */
const SITE_MAP_PART = /^\/sitemap-(?:pages|[1-9]\d{0,4})\.xml$/;
/** No sound, artist or page has this name: its address renders the 404 page under the policy of its route. */
const ANONYMOUS = '-';

export interface PageTargetOptions {
  /** Whether a text can be a sound's id on this host; any text can if the API is on another host. */
  readonly isSoundId?: ((id: string) => boolean) | undefined;
  /** Whether the pages of the staff exist. */
  readonly isStaff?: boolean | undefined;
}

/**
 * Normalises an address: all addresses that show the same page get the same target, which is rendered and is the cache
 * key. Drops parameters that the page does not read, malformed ones and defaults, and orders the others. An address
 * without a route becomes `/404`.
 */
export function toPageTarget(
  path: string,
  query: string,
  { isSoundId, isStaff }: PageTargetOptions = {},
): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  if (PLAIN_PAGES.has(plain) || (isStaff && CONSOLE_PAGES.has(plain))) return plain;
  if (plain === '/sounds') return query === '' ? plain : toSoundsUrl(parse(query));
  if (plain === '/filters') return query === '' ? plain : toFiltersUrl(parse(query));
  if (plain === '/feed') return query === '' ? plain : toFeedUrl(parse(query));
  if (SITE_MAP_PART.test(plain)) return plain;
  if (plain === '/oembed') return `/oembed${toOembedQuery(query)}`;
  if (plain === '/fragments/sounds') return toFragmentTarget(query);
  const [, route, name = '', form] =
    /^\/(sounds|embed\/sounds|artist|content|feed\/artist|certificates|licences)\/([^/]+)((?<=^\/sounds\/[^/]+)\/report|(?<=^\/certificates\/[^/]+)\/use)?$/.exec(
      plain,
    ) ?? [];
  const text = readPathName(name);
  if (route === 'sounds' || route === 'embed/sounds') {
    const toPath = route !== 'sounds' ? embedPath : form === undefined ? soundPath : reportPath;
    return toPath(canBeName(text, ID_LENGTH_MAX) && (isSoundId?.(text) ?? true) ? text : ANONYMOUS);
  }
  if (route === 'content') return contentPath(canBeName(text, ID_LENGTH_MAX) ? text : ANONYMOUS);
  if (route === 'certificates') {
    const toPath = form === undefined ? certificatePath : tellUsePath;
    return CERTIFICATE_ID.test(name) ? toPath(name) : '/404';
  }
  if (route === 'licences') return LICENCE_HASH.test(name) ? licencePath(name) : '/404';
  if (route === undefined) return '/404';
  const username = canBeName(text, NAME_LENGTH_MAX) ? text : ANONYMOUS;
  if (route === 'feed/artist') return artistFeedPath(username);
  const artist = artistPath(username);
  return query === '' ? artist : artist + toArtistQuery(parse(query));
}

/** A fragment is a listing; with `LAST_PAGE_ONLY`, of the last of several pages. */
function toFragmentTarget(query: string): string {
  const filters = parse(query);
  const url = toFragmentUrl(new URL(toSoundsUrl(filters), 'http://localhost'));
  const isLastOnly = filters.lastPage > filters.page && new RegExp(`(^|&)${LAST_PAGE_ONLY}=`).test(query);
  return isLastOnly ? `${url}&${LAST_PAGE_ONLY}=1` : url;
}

/** An artist's page shows one page of the artist's sounds, of one type or of all. */
function toArtistQuery({ type, page }: SoundFilters): string {
  const params = new URLSearchParams();
  if (type !== null) params.set('type', type);
  if (page > 1) params.set('page', String(page));
  return params.size === 0 ? '' : `?${params.toString()}`;
}

/** An oEmbed reply depends on an address, a format, and limits of the size below its own. */
function toOembedQuery(query: string): string {
  const given = new URLSearchParams(query.split('&', PARAMETERS_MAX).join('&'));
  const params = new URLSearchParams();
  const address = given.get('url')?.toWellFormed() ?? '';
  // Not truncated, which could make it the address of a sound.
  if (address !== '') params.set('url', address.length <= PARAMETER_LENGTH_MAX ? address : ANONYMOUS);
  const format = given.get('format') ?? 'json';
  if (format !== 'json') params.set('format', format === 'xml' ? format : ANONYMOUS);
  for (const [name, most] of [
    ['maxwidth', EMBED_SIZE.width],
    ['maxheight', EMBED_SIZE.height],
  ] as const) {
    const limit = /^\d{1,9}$/.test(given.get(name) ?? '') ? Number(given.get(name)) : 0;
    if (limit > 0 && limit < most) params.set(name, String(limit));
  }
  return params.size === 0 ? '' : `?${params.toString()}`;
}

function parse(query: string): SoundFilters {
  const parameters = query.split('&', PARAMETERS_MAX).map((text) => text.slice(0, PARAMETER_LENGTH_MAX));
  return parseSoundFilters(new URLSearchParams(parameters.join('&')));
}

function canBeName(text: string, lengthMax: number): boolean {
  return text !== '' && text.length <= lengthMax && !/[\p{Cc}\ufffd]/u.test(text);
}
