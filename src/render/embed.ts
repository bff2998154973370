import { PICTURE_WIDTHS } from '../../contract/site/pictures.ts';
import { UNTITLED, type Sound } from '../../contract/sounds/sounds.ts';
import { artistPath, embedPath, readPathName, soundPath } from '../lib/paths.ts';
import type { PublicSettings } from './public-settings.ts';
import { escapeXml } from './xml.ts';

/** The size of the player in a frame, in CSS pixels. It fits into any width from 240 and any height from 80. */
export const EMBED_SIZE = { width: 480, height: 132 } as const;

export interface FrameSize {
  readonly width: number;
  readonly height: number;
}

/** The formats of oEmbed, and the media type of each. */
export const OEMBED_TYPES = { json: 'application/json', xml: 'text/xml' } as const;

/** The HTML with which another site shows a sound's player. */
export function toEmbedCode(
  sound: Pick<Sound, 'id' | 'title'>,
  siteUrl: string,
  { width, height }: FrameSize = EMBED_SIZE,
): string {
  const src = escapeXml(siteUrl + embedPath(sound.id));
  const title = escapeXml(sound.title || UNTITLED);
  return `<iframe src="${src}" title="${title}" width="${width}" height="${height}" loading="lazy" style="border:0;max-width:100%"></iframe>`;
}

/** The oEmbed reply for a sound (oembed.com §2.3.4.4). Neither its frame nor its picture is larger than `most`. */
export function toOembed(
  sound: Sound,
  { siteName, siteUrl }: PublicSettings,
  most: FrameSize,
): Record<string, string | number> {
  const picture = sound.thumbnail_url;
  const [side] = PICTURE_WIDTHS.thumbnail;
  const size = {
    width: Math.min(most.width, EMBED_SIZE.width),
    height: Math.min(most.height, EMBED_SIZE.height),
  };
  return {
    version: '1.0',
    type: 'rich',
    title: sound.title || UNTITLED,
    ...(sound.artist_name !== '' && {
      author_name: sound.artist_name,
      author_url: siteUrl + artistPath(sound.artist_name),
    }),
    provider_name: siteName,
    provider_url: `${siteUrl}/`,
    // A picture may be named only with its size, which only our own host's pictures have.
    ...(picture?.endsWith(`/${side}.webp`) &&
      side <= Math.min(most.width, most.height) && {
        thumbnail_url: new URL(picture, siteUrl).href,
        thumbnail_width: side,
        thumbnail_height: side,
      }),
    html: toEmbedCode(sound, siteUrl, size),
    ...size,
  };
}

/** The address of a sound's oEmbed reply, for the head of its page. */
export function toOembedUrl(id: string, siteUrl: string, format: keyof typeof OEMBED_TYPES): string {
  return `${siteUrl}/oembed?${new URLSearchParams({ url: siteUrl + soundPath(id), format }).toString()}`;
}

/** The id in the address of a sound's page on this site; null for every other address. */
export function readSoundId(address: string, siteUrl: string): string | null {
  const url = URL.parse(address);
  if (url === null || url.origin !== siteUrl || url.username !== '' || url.password !== '') return null;
  const [, name = ''] = /^\/sounds\/([^/]+)\/?$/.exec(url.pathname) ?? [];
  const id = readPathName(name);
  return id === '' || /[\p{Cc}/\\]/u.test(id) ? null : id;
}
