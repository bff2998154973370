/**
 * Inlined in the head of every page that has islands besides the player, so that no press is lost before hydration. A
 * press on play starts a bare `Audio` immediately, which the player store adopts when it has loaded. Presses on other
 * buttons are stored and repeated as soon as their island is hydrated. An island that cannot be hydrated is replaced by
 * the error box.
 *
 * Classic script: no imports. It builds on `src/scripts/early.ts`.
 */
const { early } = window;
if (early) early.showError = showError;
document.addEventListener('astro:hydration-error', (event) =>
  showError((event as CustomEvent<{ error: unknown }>).detail.error, event.target as Element),
);

function showError(error: unknown, place: Element = openPopover()) {
  const { content } = document.getElementById('error-box') as HTMLTemplateElement;
  place.replaceChildren(content.cloneNode(true));
  place.querySelector('code')?.append(String(error));
}

function openPopover() {
  const place = document.body.appendChild(document.createElement('div'));
  place.popover = 'auto';
  place.showPopover();
  return place;
}

function startBare(button: HTMLElement) {
  if (!early) return;
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
  document.documentElement.dataset['player'] = '';
  document.dispatchEvent(new Event('player:wake'));
}

function readVolume() {
  const volume = Number.parseFloat(localStorage.getItem('player:volume') ?? '');
  return volume >= 0 && volume <= 1 ? volume : 1;
}

document.addEventListener(
  'click',
  (event) => {
    const target = event.target as Element;
    const play = target.closest<HTMLElement>('[data-play]');
    if (play) return early?.press ? early.press(play) : startBare(play);
    const button = target.closest<HTMLButtonElement>('astro-island[ssr] button[data-replay]');
    if (!button || button.getAttribute('aria-busy')) return;
    button.setAttribute('aria-busy', 'true');
    button.closest('astro-island')?.addEventListener(
      'astro:hydrate',
      () => {
        button.removeAttribute('aria-busy');
        // React attaches its listeners in the next task.
        setTimeout(() => button.click());
      },
      { once: true },
    );
  },
  true,
);

export {};
