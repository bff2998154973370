import type { APIRoute } from 'astro';
import script from 'virtual:embed-script';
import { ApiError } from '../../../../contract/errors.ts';
import { type Sound, getSound } from '../../../../contract/sounds.ts';
import { toEmbedHtml } from '../../../lib/embed-html.ts';
import style from '../../../styles/embed.css?inline';

/**
 * The only page that other sites may frame. It runs only the script in the page, which reads no cookie and no storage
 * and connects to nothing.
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
export const GET: APIRoute = async ({ locals: { api, shell }, params }) => {
  const isKnown = shell.config.capabilities.includes('sound-pages');
  const sound = isKnown ? await findSound(api, params['id'] ?? '') : null;
  return new Response(toEmbedHtml(sound, shell.settings, { style, script }), {
    status: sound === null ? 404 : 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
    },
  });
};

async function findSound(api: App.Locals['api'], id: string): Promise<Sound | null> {
  return api(getSound, { params: { id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'not-found') return null;
    throw error;
  });
}

async function toHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
