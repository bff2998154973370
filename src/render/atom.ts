import { FEED_HASH } from '../../contract/sounds/plays.ts';
import { UNTITLED, type Sound } from '../../contract/sounds/sounds.ts';
import { artistPath, soundPath } from '../lib/paths.ts';
import type { PublicSettings } from './public-settings.ts';
import { escapeXml } from './xml.ts';

/** Maximum number of entries of a feed. */
export const FEED_ENTRIES_MAX = 50;
/** The media type of Atom (RFC 4287 §7). */
export const ATOM_TYPE = 'application/atom+xml';

/** The date of a feed without entries: Atom requires one, and a date of rendering would change the bytes. */
const NO_DATE = '1970-01-01T00:00:00.000Z';

export interface Feed {
  readonly title: string;
  /** The feed's own path. */
  readonly path: string;
  /** The path of the page that shows the same sounds. */
  readonly pagePath: string;
  readonly sounds: readonly Sound[];
}

/**
 * The reply with an Atom feed (RFC 4287) of sounds, newest first. Sounds without a readable date are left out, because
 * an entry needs one.
 */
export function toAtomReply(feed: Feed, settings: PublicSettings): Response {
  return new Response(toAtom(feed, settings), { headers: { 'content-type': `${ATOM_TYPE}; charset=utf-8` } });
}

/** The document of `toAtomReply`. */
export function toAtom(
  { title, path, pagePath, sounds }: Feed,
  { siteName, siteUrl }: PublicSettings,
): string {
  const toUrl = (address: string) => new URL(address, siteUrl).href;
  const entries = [...new Map(sounds.map((sound) => [sound.id, sound])).values()]
    .flatMap((sound) => {
      const published = toTimestamp(sound.created_at);
      if (published === null) return [];
      return { sound, published, updated: toTimestamp(sound.updated_at) ?? published };
    })
    .toSorted((a, b) => (a.published < b.published ? 1 : a.published > b.published ? -1 : 0))
    .slice(0, FEED_ENTRIES_MAX);
  const lines = entries.flatMap(({ sound, published, updated }) => {
    const page = toUrl(soundPath(sound.id));
    const artist = sound.artist_name;
    return [
      '<entry>',
      toElement('id', page),
      toElement('title', sound.title || UNTITLED),
      toElement('updated', updated),
      toElement('published', published),
      '<author>',
      toElement('name', artist || siteName),
      ...(artist === '' ? [] : [toElement('uri', toUrl(artistPath(artist)))]),
      '</author>',
      toLink({ rel: 'alternate', type: 'text/html', href: page + FEED_HASH }),
      ...(sound.description === '' ? [] : [toElement('summary', sound.description)]),
      '</entry>',
    ];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="ja">',
    toElement('id', toUrl(path)),
    toElement('title', title),
    toElement(
      'updated',
      entries
        .map(({ updated }) => updated)
        .sort()
        .at(-1) ?? NO_DATE,
    ),
    toLink({ rel: 'self', type: ATOM_TYPE, href: toUrl(path) }),
    toLink({ rel: 'alternate', type: 'text/html', href: toUrl(pagePath) }),
    ...lines,
    '</feed>',
    '',
  ].join('\n');
}

/** RFC 3339 in UTC, which orders as text; null if unreadable or beyond four digits of the year. */
function toTimestamp(iso: string | undefined): string | null {
  const time = Date.parse(iso ?? '');
  const text = Number.isNaN(time) ? '' : new Date(time).toISOString();
  return /^\d{4}-/.test(text) ? text : null;
}

function toElement(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

function toLink(attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  return `<link${written.join('')}/>`;
}
