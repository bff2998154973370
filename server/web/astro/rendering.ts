import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RenderPage } from '../pages.ts';

/** Context of every page; see `App.Locals` in src/env.d.ts. */
export interface PageLocals {
  /** Undefined when pages call an API on another host themselves. */
  readonly fetchApi: typeof fetch | undefined;
  readonly settings: object;
  /** Replies that are the same for every page, dropped after each change made here. */
  readonly replies: Map<string, unknown> | undefined;
  /** Called with the error of a page that failed to render. */
  readonly reportError: (error: unknown, requestId: string) => void;
  /** Called with API replies that pages could not use. */
  readonly warn: (message: string) => void;
}

interface Entry {
  render(request: Request, locals: object): Promise<Response>;
}

/**
 * The built pages. A new request is created from path and query only: no header, cookie or Host of a visitor reaches a
 * page, so every page is the same for everyone, and its links use `siteUrl`.
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
 * The entry loads a page's module on its first request. They are preloaded here, so that a build during the process's
 * lifetime cannot remove them. Browser-only modules fail to load and are not needed. The image service is skipped:
 * pages never use it, and it takes memory.
 */
async function loadChunks(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const modules = names.filter((name) => name.endsWith('.mjs') && !name.startsWith('sharp_'));
  await Promise.allSettled(modules.map((name) => import(pathToFileURL(join(folder, name)).href)));
}
