import type { APIRoute } from 'astro';
import { OEMBED_TYPES, readSoundId, toOembed } from '../render/embed.ts';
import { findEmbeddedSound } from '../render/embedded-sound.ts';
import { escapeXml } from '../render/xml.ts';

/** The oEmbed reply (oembed.com) for the address of a sound's page. `toPageTarget` bounds the parameters. */
export const GET: APIRoute = async ({ locals, url: { searchParams } }) => {
  const address = searchParams.get('url') ?? '';
  const format = searchParams.get('format') ?? 'json';
  if (address === '') return refuse(400, 'url is required.');
  if (format !== 'json' && format !== 'xml') return refuse(501, 'format must be json or xml.');
  const { settings } = locals.shell;
  const id = readSoundId(address, settings.siteUrl);
  const sound = id === null ? null : await findEmbeddedSound(locals, id);
  if (sound === null) return refuse(404, 'url is not the address of a public sound of this site.');
  const readLimit = (name: string) => Number(searchParams.get(name) ?? Infinity);
  const reply = toOembed(sound, settings, { width: readLimit('maxwidth'), height: readLimit('maxheight') });
  const fields = Object.entries(reply).map(
    ([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`,
  );
  const text =
    format === 'json'
      ? JSON.stringify(reply)
      : `<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<oembed>\n${fields.join('\n')}\n</oembed>\n`;
  return new Response(text, { headers: { 'content-type': `${OEMBED_TYPES[format]}; charset=utf-8` } });
};

function refuse(status: 400 | 404 | 501, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'content-type': 'text/plain; charset=utf-8' } });
}
