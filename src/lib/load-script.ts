/**
 * Stands between every `import()` and the browser (`astro.config.mjs`). A browser remembers for as long as the page
 * lives that a module, or one it imports, could not be fetched. So the files are fetched first, into the browser's
 * cache, and nothing is imported before they are there: once the connection is back, the next call works.
 *
 * Rejects with a `TypeError` where there is no connection; with another error where a file is gone and a reload has
 * not helped. The person has been told by then.
 */
export async function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  const [, path] = /import\(["'`](.+?)["'`]\)/.exec(String(load)) ?? [];
  try {
    if (path) await window.early?.fetchScript(new URL(path, import.meta.url).href);
  } catch (error) {
    if (!(error instanceof TypeError)) window.early?.showError?.(error);
    throw error;
  }
  return load();
}
