/** After a reload that did not help, the page is not reloaded again within this time. */
const RELOAD_AGAIN_AFTER_MS = 300_000;
/** A reload begins within this time. */
const RELOADING_MS = 3000;
/** Longer than a page needs to be replaced once its loads have failed. */
const LEAVING_MS = 500;

/** A script could not be fetched and may be later. The user has been notified. */
export class OfflineError extends Error {}

/** The scripts that each script imports, by its URL. */
const imports = new Map<string, Promise<string[]>>();

/**
 * Called instead of every `import()` (`src/astro/build/scripts.ts`), with its file. Browsers remember for the lifetime of a page
 * that a module, or one of its imports, could not be fetched. The files are therefore fetched into the browser's cache
 * first, and imported only when all are present: once the connection is back, the next call works.
 *
 * Rejects with an `OfflineError` without a connection; with another error if a file is gone and a reload has not helped.
 * The user has been notified by then: in `element`, or over the page.
 */
export async function loadScript<Module>(
  load: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await fetchScripts(files.map(toUrl));
  return load().catch(rejectLater);
}

/** Fetches scripts and their imports into the browser's cache. Notifies and rejects like `loadScript`. */
export async function fetchScripts(urls: readonly string[], element?: Element): Promise<void> {
  try {
    const seen = new Set<string>();
    await Promise.all(urls.map((url) => fetchScript(url, seen))).catch(rejectLater);
  } catch (error) {
    if (error instanceof OfflineError) showOffline(true);
    else showError(error, element);
    throw error;
  }
}

/** Firefox fails what a page loads as soon as another one begins to load, which must not be reported. */
async function rejectLater(error: unknown): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
  throw error;
}

/** `seen`: scripts may import one another in a cycle. */
async function fetchScript(url: string, seen: Set<string>): Promise<void> {
  if (seen.has(url)) return;
  seen.add(url);
  const reading = imports.get(url) ?? fetchImports(url);
  imports.set(url, reading);
  const found = await reading.catch((error: unknown) => {
    imports.delete(url);
    throw error;
  });
  await Promise.all(found.map((each) => fetchScript(each, seen)));
}

async function fetchImports(url: string): Promise<string[]> {
  const reply = await fetch(url).catch(() => null);
  if (reply?.status === 404) await reloadOnce(url);
  if (!reply?.ok) throw new OfflineError(url);
  // The last line of a built script names what it imports (`src/astro/build/scripts.ts`).
  const [mark, ...files] = (await reply.text()).trimEnd().split('\n').at(-1)?.split(' ') ?? [];
  return mark === '//imports' ? files.map(toUrl) : [];
}

function toUrl(file: string): string {
  return new URL(`/${file}`, location.href).href;
}

/** Reloads a page whose scripts have other names since a later deployment. */
async function reloadOnce(url: string): Promise<void> {
  const last = Number(sessionStorage.getItem('reloaded'));
  if (window.early?.isStorageOff || Date.now() - last < RELOAD_AGAIN_AFTER_MS) throw new Error(url);
  sessionStorage.setItem('reloaded', `${Date.now()}`);
  location.reload();
  await new Promise((resolve) => setTimeout(resolve, RELOADING_MS));
}

/** Shows or removes the offline notice. A press, a dialog or a hydrated island removes it. */
export function showOffline(isShown: boolean): void {
  document.getElementById('offline')?.togglePopover(isShown);
}

/** Shows the error box of spec §2, over the page or in place of an element's content. */
export function showError(error: unknown, element: Element = openPopover()): void {
  const { content } = document.getElementById('error-box') as HTMLTemplateElement;
  element.replaceChildren(content.cloneNode(true));
  element.querySelector('code')?.append(String(error));
}

function openPopover(): HTMLElement {
  const popover = document.body.appendChild(document.createElement('div'));
  popover.popover = 'auto';
  popover.showPopover();
  return popover;
}
