import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Render } from './rendering.ts';

/** The built pages of a folder. */
export async function loadPages(distDir: string): Promise<Render> {
  const url = pathToFileURL(join(distDir, 'server', 'entry.mjs')).href;
  const { render } = (await import(url)) as { readonly render?: Render };
  if (render === undefined) throw new Error(`${distDir} was not built with the adapter of src/astro/build`);
  await loadChunks(join(distDir, 'server', 'chunks'));
  return render;
}

/**
 * The entry loads a page's module on its first request. They are preloaded here, so that a build during the process's
 * lifetime cannot remove them. Browser-only modules fail to load and are not needed.
 */
async function loadChunks(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const modules = names.filter((name) => name.endsWith('.mjs'));
  await Promise.allSettled(modules.map((name) => import(pathToFileURL(join(folder, name)).href)));
}
