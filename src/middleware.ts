import type { APIContext } from 'astro';
import { defineMiddleware } from 'astro:middleware';
import { ApiError } from '../contract/calls/errors.ts';
import { createClient } from './api/client.ts';
import type { PageQueries } from './api/next-pages.ts';
import { findAmong, rememberReplies, shareReads } from './render/remembering.ts';
import { isNetworkAdPage } from './lib/ad-pages.ts';
import { widenPolicy } from './render/page-policy.ts';
import { createHostFetch } from './render/host-fetch.ts';
import { recordDependencies } from './render/page-dependencies.ts';
import { createOrAbsent, isOutage } from './render/optional.ts';
import { CONSOLE_PAGES } from './render/console-pages.ts';
import { INTERNAL_PAGES } from './render/page-targets.ts';
import { BARE_SHELL, type Shell, type ShellData, loadShellData } from './render/shell.ts';
import { warnOnce } from './api/warnings.ts';

/** Time limit of all calls of a page to an API on another host, including retries. */
const API_TIMEOUT_MS = 5000;

/** The last shell of each host, used while the host does not answer. The key of a host is its map of replies. */
const lastShells = new WeakMap<Map<string, unknown>, ShellData>();
/** The key of the host's page queries among the remembered replies. */
const PAGE_QUERIES = 'page queries';
/** Statuses for pages that are not available: log-in required, forbidden, wrong method, legal reasons. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 405, 451]);

/**
 * Gives every page its API client and its shell, and turns errors of the API into pages: missing or forbidden is a 404,
 * an unreachable host a 503, maintenance a 503.
 *
 * A page is rendered with the last shell of its host while the shell is read, so that a slow host is not waited for
 * twice. It is rendered again if the shell has changed, without repeating the calls that stay the same.
 */
export const onRequest = defineMiddleware(async (context, next) => {
  const { locals } = context;
  // Rewritten below: the replacement page passes through here again.
  if ((locals as Partial<App.Locals>).shell) return next();
  if (import.meta.env.DEV) Object.assign(locals, Reflect.get(globalThis, Symbol.for('dev.locals')));
  const { settings, replies, warn, requestId } = locals;
  const api = createClient({
    origin: locals.fetchApi ? 'http://api.internal' : settings.apiOrigin,
    fetch: locals.fetchApi ?? createHostFetch(AbortSignal.timeout(API_TIMEOUT_MS)),
    retries: 'page',
    filesOrigin: settings.apiOrigin,
    pageQueries: findAmong<PageQueries>(replies, PAGE_QUERIES, () => new Map()),
    warn,
  });
  locals.api = recordDependencies(rememberReplies(shareReads(api), replies), locals.recordDependency);
  const isIncomplete = { shell: false, page: false };
  const orAbsentIn = (part: keyof typeof isIncomplete) =>
    createOrAbsent((error) => {
      isIncomplete[part] ||= isOutage(error);
      warnOnce(warn, `pages are rendered without an optional part: ${error.kind} (${error.status})`);
    });
  locals.orAbsent = orAbsentIn('page');
  // Depends on the address only, like the router's rule: a page rendered instead of this one has the same policy.
  const adUnit = isNetworkAdPage(context.url.pathname) ? settings.gptAdUnit : '';
  // The staff ends the maintenance in the console, whose HTML contains no data.
  const path = context.url.pathname.replace(/\/$/, '');
  const isConsole = CONSOLE_PAGES.has(path);
  // The page server asks for no such address (src/render/page-targets.ts); in development Astro serves the pages itself.
  const isInternal = import.meta.env.DEV && INTERNAL_PAGES.has(path);
  const isClosed = ({ config }: ShellData) =>
    settings.isMaintenance || (config.maintenance_mode && !isConsole);
  const lastShell = lastShells.get(replies);
  const assumed = lastShell ?? BARE_SHELL;
  locals.shell = { settings, adUnit, requestId, ...assumed };
  const finish = (response: Response) => {
    // The missing part may be available soon.
    if (isIncomplete.shell || isIncomplete.page) {
      response.headers.set('cache-control', 'no-store');
      // The page server shows an older, complete page instead.
      response.headers.set('x-incomplete', 'on');
    }
    return widen(response, locals.shell);
  };
  try {
    const early = isClosed(assumed) || isInternal ? undefined : Promise.allSettled([next()]);
    const shell = await loadShellData({ api: locals.api, orAbsent: orAbsentIn('shell') }, lastShell);
    // Also before a replacement: Astro renders one page of a request at a time.
    const [page] = (await early) ?? [];
    if (!isIncomplete.shell) lastShells.set(replies, shell);
    locals.shell = { ...locals.shell, ...shell };
    if (page === undefined || isClosed(shell) || !isSame(shell, assumed)) {
      isIncomplete.page = false;
      const shown = isInternal ? '/404' : context.url.href;
      return finish(await rewrite(context, isClosed(shell) ? '/maintenance' : shown));
    }
    if (page.status === 'rejected') throw page.reason;
    return finish(page.value);
  } catch (error) {
    const kind = error instanceof ApiError ? error.kind : null;
    const isRefused = error instanceof ApiError && REFUSALS.has(error.status);
    if (isRefused)
      warnOnce(warn, `pages are not available: the API host refuses a read with ${error.status}`);
    if (kind === 'not-found' || isRefused) return finish(await rewrite(context, '/404'));
    if (import.meta.env.DEV && kind === null) throw error;
    locals.reportError(error, requestId);
    locals.error = error;
    const isUnavailable = error instanceof ApiError && isOutage(error);
    const response = await rewrite(context, isUnavailable ? '/unavailable' : '/500');
    // The host answered, so the page server shows no older page instead.
    if (error instanceof ApiError && !isUnavailable) response.headers.set('x-refused', 'on');
    // The error page is complete, whichever parts of the failed page were missing.
    return widen(response, locals.shell);
  }
});

/** Both are replies read by the same schemas, so their fields have the same order. */
function isSame(shell: ShellData, other: ShellData): boolean {
  return JSON.stringify(shell) === JSON.stringify(other);
}

/** Renders another page at the requested address. */
async function rewrite(context: APIContext, path: string): Promise<Response> {
  return context.rewrite(new Request(new URL(path, context.url)));
}

/**
 * Widens the page's policy. With the API or the files on another host, pages may call it and load files from it. Pages
 * with ads of a network may load what the ads need; such an ad also opens its advertiser's page in a window with which
 * it communicates.
 */
function widen(response: Response, { settings, adUnit }: Shell): Response {
  const policy = response.headers.get('content-security-policy');
  const hasNetworkAds = adUnit !== '';
  const { apiOrigin, filesOrigin } = settings;
  const origins = [apiOrigin, filesOrigin].filter((origin) => origin !== '');
  if (policy === null || (origins.length === 0 && !hasNetworkAds)) return response;
  response.headers.set('content-security-policy', widenPolicy(policy, { origins, hasNetworkAds }));
  if (hasNetworkAds) response.headers.set('cross-origin-opener-policy', 'same-origin-allow-popups');
  return response;
}
