/**
 * Stands inline in the head of every page, so it runs before anything is painted or hydrated.
 * It makes a press on play sound at once: the press starts a bare `Audio`, which the player
 * store adopts when it has loaded. It also keeps presses on buttons whose island is not hydrated
 * yet and repeats them as soon as it is.
 *
 * Classic script: no imports. `src/lib/early.ts` describes what it leaves on `window`.
 */
const root = document.documentElement;
const early: import('../lib/early.ts').Early = (window.early = { audio: null, button: null, press: null });

/** Restores what the router's swap takes off <html>, and reserves the player's place. */
function markRoot() {
  try {
    if (localStorage.getItem('player:queue')?.includes('"id"')) root.dataset['player'] = '';
  } catch {
    // Storage can be forbidden; then nothing is remembered.
  }
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
markRoot();
document.addEventListener('astro:after-swap', markRoot);

export {};
