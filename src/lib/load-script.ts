/**
 * Called in place of every `import()` (`astro.config.mjs`). Browsers remember for the lifetime of a page that a module,
 * or one of its imports, could not be fetched. The files are therefore fetched into the browser's cache first, and
 * imported only when all are present: once the connection is back, the next call works.
 *
 * Rejects with a `TypeError` without a connection; with another error if a file is gone and a reload has not helped.
 * The user has been notified by then.
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
