import type { APIRoute } from 'astro';
import { ApiError } from '../../contract/errors.ts';
import { getSound } from '../../contract/sounds.ts';
import { EMBED_SIZE, OEMBED_TYPES, readSoundId, toOembed } from '../lib/embed.ts';
import { escapeXml } from '../lib/xml.ts';

/** The oEmbed reply (oembed.com) for the address of a sound's page. `toPageTarget` bounds the parameters. */
export const GET: APIRoute = async ({ locals: { api, shell }, url: { searchParams } }) => {
  const address = searchParams.get('url') ?? '';
  const format = searchParams.get('format') ?? 'json';
  if (address === '') return refuse(400, 'url is required.');
  if (format !== 'json' && format !== 'xml') return refuse(501, 'format must be json or xml.');
  const { siteUrl } = shell.settings;
  const id = shell.config.capabilities.includes('sound-pages') ? readSoundId(address, siteUrl) : null;
  const sound = id === null ? null : await api(getSound, { params: { id } }).catch(orNull);
  if (sound === null) return refuse(404, 'url is not the address of a public sound of this site.');
  const limit = (name: string, most: number) => Math.min(most, Number(searchParams.get(name) ?? most));
  const reply = toOembed(sound, shell.settings, {
    width: limit('maxwidth', EMBED_SIZE.width),
    height: limit('maxheight', EMBED_SIZE.height),
  });
  const fields = Object.entries(reply).map(
    ([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`,
  );
  const text =
    format === 'json'
      ? JSON.stringify(reply)
      : `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${fields.join('\n')}\n</oembed>\n`;
  return new Response(text, { headers: { 'content-type': `${OEMBED_TYPES[format]}; charset=utf-8` } });
};

/** A missing sound; other errors become the error page. */
function orNull(error: unknown): null {
  if (error instanceof ApiError && error.kind === 'not-found') return null;
  throw error;
}

function refuse(status: 400 | 404 | 501, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
