/**
 * Stands inline in the head of every page, so it runs before anything is painted or hydrated.
 * It makes a press on play sound at once: the press starts a bare `Audio`, which the player
 * store adopts when it has loaded. It also keeps presses on buttons whose island is not hydrated
 * yet and repeats them as soon as it is.
 *
 * Classic script: no imports. `src/lib/early.ts` describes what it leaves on `window`.
 */
const root = document.documentElement;
const early: import('../lib/early.ts').Early = (window.early = {
  audio: null,
  button: null,
  press: null,
  mark,
  divert,
});

/**
 * Restores what the router's swap takes off <html>: the player's place, and the member's navbar with
 * their picture, so that neither flickers.
 */
function mark() {
  try {
    if (localStorage.getItem('player:queue')?.includes('"id"')) root.dataset['player'] = '';
    const session = localStorage.getItem('auth') ?? '';
    const isMember = localStorage.getItem('token') && session.includes('"isAuthenticated":true');
    root.toggleAttribute('data-member', !!isMember);
    const [, picture] = /"profile_picture":"([^"\\]+)"/.exec(session) ?? [];
    root.style.setProperty('--member', picture ? `url("${picture}")` : null);
  } catch {
    // Storage can be forbidden; then nothing is remembered.
  }
}

/**
 * Strangers log in before they see a profile or its statements; members need neither to log in nor to
 * register (spec §2).
 */
function divert({ pathname, search, hash }: URL | Location) {
  const isMember = 'member' in root.dataset;
  if (isMember) return /^\/(login|register)\/?$/.test(pathname) ? '/profile' : null;
  return /^\/profile(\/|$)/.test(pathname)
    ? `/login?redirect=${encodeURIComponent(pathname + search + hash)}`
    : null;
}

function startBare(button: HTMLElement) {
  const audio = (early.audio ??= new Audio());
  if (early.button === button && !audio.paused) {
    audio.pause();
    delete button.dataset['playing'];
    return;
  }
  if (early.button !== button) {
    delete early.button?.dataset['playing'];
    audio.src = button.dataset['play'] ?? '';
    audio.volume = readVolume();
  }
  early.button = button;
  button.dataset['playing'] = '';
  void audio.play().catch(() => delete button.dataset['playing']);
  root.dataset['player'] = '';
  document.dispatchEvent(new Event('player:wake'));
}

/** For /profile, which may come after a log-in or a full load (src/stores/places.ts). */
function notePress() {
  try {
    sessionStorage.setItem('upload', `${Date.now()}`);
  } catch {
    // Then the link leads to the top of the page.
  }
}

function readVolume() {
  try {
    const volume = Number.parseFloat(localStorage.getItem('player:volume') ?? '');
    return volume >= 0 && volume <= 1 ? volume : 1;
  } catch {
    return 1;
  }
}

document.addEventListener(
  'click',
  (event) => {
    const target = event.target as Element;
    const play = target.closest<HTMLElement>('[data-play]');
    if (play) return early.press ? early.press(play) : startBare(play);
    if (target.closest('[data-upload]')) notePress();
    const button = target.closest<HTMLButtonElement>('astro-island[ssr] button[data-replay]');
    if (!button || button.getAttribute('aria-busy')) return;
    button.setAttribute('aria-busy', 'true');
    button.closest('astro-island')?.addEventListener(
      'astro:hydrate',
      () => {
        button.removeAttribute('aria-busy');
        // React listens from the next task on.
        setTimeout(() => button.click());
      },
      { once: true },
    );
  },
  true,
);

// Pages replace one another at once (experience.md), so the router needs no view transitions:
// they would hold the screen still for a snapshot, and reject when one navigation overtakes another.
Reflect.set(document, 'startViewTransition', undefined);
mark();
document.addEventListener('astro:after-swap', mark);
const elsewhere = divert(location);
if (elsewhere) {
  root.hidden = true;
  location.replace(elsewhere);
}

export {};
