import type { ClientDirective } from 'astro';

/**
 * Inlined in the head of every page, so it runs before the first paint and hydration: session, storage, and loading of
 * islands and other scripts.
 *
 * Classic script: type imports only. `src/lib/early.ts` describes what it defines on `window`.
 */
const root = document.documentElement;
/** After a reload that did not help, the page is not reloaded again within this time. */
const RELOAD_AGAIN_AFTER_MS = 300_000;
const RETRY_AFTER_MS = 3000;

const early: import('../lib/early.ts').Early = (window.early = {
  mark,
  toRedirect,
  fetchScript,
});

for (const name of ['localStorage', 'sessionStorage'] as const) {
  try {
    window[name].getItem(name);
  } catch {
    early.isStorageOff = true;
    Reflect.defineProperty(window, name, { value: createMemory() });
  }
}

/** Replaces a denied `Storage`; its items are its properties. */
function createMemory(): object {
  const items = Object.create({
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, value: unknown) => void (items[key] = `${value}`),
    removeItem: (key: string) => void delete items[key],
  }) as Record<string, string>;
  return items;
}

/**
 * Restores the attributes that the router's swap removes from <html>: the space for the player, and the member's navbar
 * with the picture, so that neither flickers.
 */
function mark() {
  if (localStorage.getItem('player:queue')?.includes('"id"')) root.dataset['player'] = '';
  const session = localStorage.getItem('auth') ?? '';
  const isMember = localStorage.getItem('token') && session.includes('"isAuthenticated":true');
  root.toggleAttribute('data-member', !!isMember);
  const [, picture] = /"profile_picture":"([^"\\]+)"/.exec(session) ?? [];
  root.style.setProperty('--member', picture ? `url("${picture}")` : null);
}

/**
 * Visitors log in before they see a profile or its statements; members are redirected from log-in and registration
 * (spec §2).
 */
function toRedirect({ pathname, search, hash }: URL | Location) {
  const isMember = 'member' in root.dataset;
  if (isMember) return /^\/(login|register)\/?$/.test(pathname) ? '/profile' : null;
  return /^\/profile(\/|$)/.test(pathname)
    ? `/login?redirect=${encodeURIComponent(pathname + search + hash)}`
    : null;
}

/** What each script imports, by its URL. */
const imports: Record<string, Promise<string[]> | undefined> = {};

/** `seen`: scripts may import one another in a cycle. */
async function fetchScript(url: string, seen: Record<string, true> = {}): Promise<void> {
  if (seen[url]) return;
  seen[url] = true;
  const found = await (imports[url] ??= fetchImports(url).catch((error: unknown) => {
    delete imports[url];
    throw error;
  }));
  await Promise.all(found.map((each) => fetchScript(each, seen)));
}

async function fetchImports(url: string) {
  const reply = await fetch(url).catch(() => null);
  if (reply?.status === 404) await reloadOnce(url);
  if (!reply?.ok) {
    showOffline(true);
    throw new TypeError(url);
  }
  const code = await reply.text();
  return [...code.matchAll(/\b(?:from|import)"(\.[^"]+)/g)].map(([, path = '']) => new URL(path, url).href);
}

/** Reloads a page whose scripts have other names since a later deployment. */
async function reloadOnce(url: string) {
  const last = Number(sessionStorage.getItem('reloaded'));
  if (early.isStorageOff || Date.now() - last < RELOAD_AGAIN_AFTER_MS) throw new Error(url);
  sessionStorage.setItem('reloaded', `${Date.now()}`);
  location.reload();
  await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
}

/** Waits until all imports of an island are fetched. Rejects if a file is gone. */
async function fetchIsland(island: HTMLElement): Promise<void> {
  try {
    await Promise.all(
      ['renderer-url', 'component-url'].map((name) =>
        fetchScript(new URL(island.getAttribute(name) ?? '', location.href).href),
      ),
    );
  } catch (error) {
    if (!(error instanceof TypeError && island.isConnected)) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_AFTER_MS);
      addEventListener('online', resolve, { once: true });
    });
    await fetchIsland(island);
    showOffline(false);
  }
}

/** Shows or removes the offline notice. A press, a dialog or the hydrated island removes it. */
function showOffline(isShown: boolean) {
  document.getElementById('offline')?.togglePopover(isShown);
}

// Islands import their own code; this makes each wait for its files. Inline scripts of the pages define the directives.
Object.assign(window, {
  Astro: new Proxy<Record<string, ClientDirective>>(
    {},
    {
      get: (directives, name: string): ClientDirective | undefined =>
        directives[name] &&
        ((load, options, island) =>
          directives[name]?.(() => fetchIsland(island).then(load), options, island)),
    },
  ),
});
// Pages replace one another without view transitions: those would freeze the screen for a snapshot, and reject when one
// navigation overtakes another.
Reflect.set(document, 'startViewTransition', undefined);
// For /profile, which may follow a log-in or a full load (src/stores/session/places.ts).
document.addEventListener(
  'click',
  ({ target }) =>
    (target as Element).closest('[data-upload]') && sessionStorage.setItem('upload', `${Date.now()}`),
  // Runs before the profile's own handler.
  true,
);
mark();
document.addEventListener('astro:after-swap', mark);
const target = toRedirect(location);
if (target) {
  root.hidden = true;
  location.replace(target);
}
