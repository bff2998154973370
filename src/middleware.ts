import { getSecret } from 'astro:env/server';
import type { APIContext } from 'astro';
import { defineMiddleware } from 'astro:middleware';
import { ApiError } from '../contract/errors.ts';
import { createClient } from './api/client.ts';
import { rememberReplies } from './api/remembering.ts';
import { type PublicSettings, readPublicSettings } from './lib/public-settings.ts';
import { BARE_CONFIG, loadShellData } from './lib/shell.ts';

/** How long a page may wait for an API on another host. */
const API_TIMEOUT_MS = 5000;

/** Used where no process gives one: the same host answers every page. */
const ownReplies = new Map<string, unknown>();

/**
 * Gives every page its API client and its shell, and turns what the API refuses into pages: what
 * is not there is a 404, a host that does not answer a 503, maintenance a 503.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  const { locals } = context;
  // Rewritten below: the page that stands in comes through here once more.
  if ((locals as Partial<App.Locals>).shell) return next();
  if (import.meta.env.DEV) Object.assign(locals, Reflect.get(globalThis, Symbol.for('dev.locals')));
  const settings = locals.settings ?? readPublicSettings(getSecret);
  const api = createClient({
    origin: locals.fetchApi ? 'http://api.internal' : settings.apiOrigin,
    fetch: locals.fetchApi ?? fetchWithin(API_TIMEOUT_MS),
    retries: false,
    filesOrigin: settings.apiOrigin,
  });
  locals.api = rememberReplies(api, locals.replies ?? ownReplies);
  locals.shell = { settings, config: BARE_CONFIG, pages: [], requestId: locals.requestId ?? '' };
  const report = locals.reportError ?? console.error;
  try {
    locals.shell = { ...locals.shell, ...(await loadShellData(locals.api)) };
    const isMaintenance = settings.isMaintenance || locals.shell.config.maintenance_mode;
    if (isMaintenance) return finish(await rewrite(context, '/maintenance'), settings);
    return finish(await next(), settings);
  } catch (error) {
    const kind = error instanceof ApiError ? error.kind : null;
    if (kind === 'not-found') return finish(await rewrite(context, '/404'), settings);
    if (import.meta.env.DEV && kind === null) throw error;
    report(error);
    locals.error = error;
    const isOutage = kind === 'unavailable' || kind === 'unexpected-reply';
    return finish(await rewrite(context, isOutage ? '/unavailable' : '/500'), settings);
  }
});

/** Renders another page under the address that was asked for. */
async function rewrite(context: APIContext, path: string): Promise<Response> {
  return context.rewrite(new Request(new URL(path, context.url)));
}

/** With the API on another host, pages may also ask there, and load from there and from its files' host. */
function finish(response: Response, { apiOrigin, filesOrigin }: PublicSettings): Response {
  const policy = response.headers.get('content-security-policy');
  if (apiOrigin === '' || policy === null) return response;
  const widened = policy.replace(/(connect|img|media)-src 'self'/g, (directive) =>
    `${directive} ${apiOrigin} ${filesOrigin}`.trim(),
  );
  response.headers.set('content-security-policy', widened);
  return response;
}

function fetchWithin(ms: number): typeof fetch {
  return (input, init) =>
    fetch(input, {
      ...init,
      signal: AbortSignal.any([AbortSignal.timeout(ms), ...(init?.signal ? [init.signal] : [])]),
    });
}
