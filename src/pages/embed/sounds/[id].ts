import type { APIRoute } from 'astro';
import script from 'virtual:inline/embed';
import { readPathName } from '../../../lib/paths.ts';
import { toEmbedHtml } from '../../../render/embed-html.ts';
import { findEmbeddedSound } from '../../../render/embedded-sound.ts';
import style from '../../../styles/embed.css?inline';

/**
 * The only page that other sites may frame. It runs only the script in the page, which reads no cookie and no storage
 * and connects to the API alone, to report a play.
 */
const POLICY = [
  "default-src 'none'",
  `script-src ${await toHash(script)}`,
  `style-src ${await toHash(style)}`,
  "img-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join('; ');

/** The player of a sound. */
export const GET: APIRoute = async ({ locals, params }) => {
  const { settings } = locals.shell;
  const sound = await findEmbeddedSound(locals, readPathName(params['id']));
  return new Response(toEmbedHtml(sound, settings, { style, script }), {
    status: sound === null ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${POLICY}; connect-src ${settings.apiOrigin || "'self'"}`,
      'referrer-policy': 'no-referrer',
    },
  });
};

async function toHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
