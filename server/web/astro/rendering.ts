import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderPage } from '../pages.ts';

/** What the process tells every page; see `App.Locals` in src/env.d.ts. */
export interface PageLocals {
  /** Undefined when pages call an API on another host themselves. */
  readonly fetchApi: typeof fetch | undefined;
  readonly settings: object;
  /** Replies that are the same for every page, forgotten after each change made here. */
  readonly replies: Map<string, unknown> | undefined;
  /** Takes what a page could not be rendered for. */
  readonly reportError: (error: unknown, requestId: string) => void;
  /** Takes what the API host sent that pages had to do without. */
  readonly warn: (message: string) => void;
}

interface Entry {
  render(request: Request, locals: object): Promise<Response>;
}

/**
 * The built pages. Requests are made anew from path and query: no header, cookie or Host of a
 * visitor reaches a page, so every page is the same for everybody and its links lead to `siteUrl`.
 */
export async function loadPages(distDir: string, siteUrl: string, locals: PageLocals): Promise<RenderPage> {
  const entry = (await import(pathToFileURL(join(distDir, 'server', 'entry.mjs')).href)) as Partial<Entry>;
  const { render } = entry;
  if (render === undefined) throw new Error(`${distDir} was not built with the adapter of server/web/astro`);
  await loadChunks(join(distDir, 'server', 'chunks'));
  return (target, requestId, note) =>
    render(new Request(siteUrl + target), {
      settings: locals.settings,
      requestId,
      noteDependency: note,
      reportError: (error: unknown) => locals.reportError(error, requestId),
      warn: locals.warn,
      ...(locals.fetchApi && { fetchApi: locals.fetchApi }),
      ...(locals.replies && { replies: locals.replies }),
    });
}

/**
 * The entry loads a page's module when the page is first asked for. Loaded here, a build that is
 * made while this process runs cannot take them away. What is only for browsers fails and is not
 * needed; the picture service is left out, since pages never use it and it takes memory.
 */
async function loadChunks(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const modules = names.filter((name) => name.endsWith('.mjs') && !name.startsWith('sharp_'));
  await Promise.allSettled(modules.map((name) => import(pathToFileURL(join(folder, name)).href)));
}
