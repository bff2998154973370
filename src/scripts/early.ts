/**
 * Inlined in the head of every page, so it runs before the first paint: storage, session, and redirects.
 *
 * Classic script: what it imports is inlined as well. `src/browser/early.ts` describes what it defines on `window`.
 */
import { turnOffViewTransitions } from '../astro/view-transitions.ts';

const root = document.documentElement;

const early: import('../browser/early.ts').Early = (window.early = {
  presses: [],
  queuePress,
  mark,
  toRedirect,
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
  const queue = sessionStorage.getItem('player:queue') ?? localStorage.getItem('player:queue');
  if (queue?.includes('"id"')) root.dataset['player'] = '';
  const { isAuthenticated, user } = readSession();
  root.toggleAttribute('data-member', isAuthenticated === true && !!localStorage.getItem('token'));
  const picture = user?.profile_picture;
  root.style.setProperty('--member', picture ? `url(${JSON.stringify(picture)})` : null);
}

/** As `src/stores/session/session.ts` stores it; {} for anything else. */
function readSession(): { isAuthenticated?: unknown; user?: { profile_picture?: unknown } | null } {
  try {
    return Object(JSON.parse(localStorage.getItem('auth') ?? '')) as object;
  } catch {
    return {};
  }
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

function queuePress(event: MouseEvent, button: HTMLElement) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  button.ariaBusy = 'true';
  early.presses.push(button);
  document.dispatchEvent(new Event('island:press'));
}

turnOffViewTransitions();
document.addEventListener(
  'click',
  (event) => {
    const button = (event.target as Element).closest<HTMLElement>(
      '[data-upload],[data-help],[data-logout],#more',
    );
    // For /profile, which may follow a log-in or a full load (src/stores/profile/sections.ts).
    if (button?.dataset['upload'] === '') sessionStorage.setItem('upload', `${Date.now()}`);
    else if (button && !early.hasShell) queuePress(event, button);
  },
  // Runs before the profile's own handler.
  true,
);
/** The scripts of a page, which `src/astro/build/adapter.ts` names with a type that no browser runs. */
function listScripts() {
  return [...document.querySelectorAll<HTMLScriptElement>('script[type=late]')];
}

/** Runs the scripts of the first page, in their order. */
function startScripts() {
  const scripts = listScripts().map(({ src }) =>
    Object.assign(document.createElement('script'), { type: 'module', async: false, src }),
  );
  document.body.append(...scripts);
}

let isLost = false;

/**
 * Shows that a script of a page did not load, and loads the page again once the site answers: browsers remember for the
 * lifetime of a document that a module failed. If that does not help, the next press tries again.
 */
function recover() {
  isLost = true;
  reportLoss();
  document.addEventListener('island:press', () => {
    reportLoss();
    reload();
  });
  if (performance.navigation.type !== performance.navigation.TYPE_RELOAD) setInterval(reload, 3000);
}

function reload() {
  // A sound that plays comes first.
  if (early.audio?.paused === false) return;
  fetch(location.href, { cache: 'no-store' }).then(
    () => location.reload(),
    () => {},
  );
}

function reportLoss() {
  for (const button of early.presses.splice(0)) button.ariaBusy = null;
  document.getElementById('offline')?.togglePopover(true);
}

mark();
// Also for pages that the router swaps in.
document.addEventListener(
  'error',
  ({ target }) => (target as HTMLScriptElement).type === 'module' && !isLost && recover(),
  true,
);
document.addEventListener('astro:after-swap', () => {
  mark();
  // The router runs those that are new.
  for (const script of listScripts()) script.type = 'module';
});
// Back, until there is a router (`src/scripts/shell/router.ts`).
onpopstate = ({ state }) => state && location.reload();
const target = toRedirect(location);
if (target) {
  root.hidden = true;
  location.replace(target);
} else {
  // After the first paint: before it, they would delay the pictures. `early-islands.ts` stores presses on islands.
  // Not while redirecting: Firefox and WebKit then end the document before its body.
  document.addEventListener('DOMContentLoaded', () => requestAnimationFrame(() => setTimeout(startScripts)));
}
