/**
 * Inlined in the head of every page that has islands besides the player, so that no press is lost before hydration. A
 * press on play or on a waveform starts a bare `Audio` immediately, which the player store adopts when it has loaded.
 * Presses on other buttons are shown immediately, and `islands.ts` repeats them as soon as their island is hydrated. It
 * also draws the waveforms, and lets pictures load when they come into view.
 *
 * A classic script: what it imports is inlined as well. It builds on `src/scripts/early.ts`.
 */
import { WAITING_ISLANDS } from '../astro/islands.ts';
import { WAITING_PARTS } from '../lib/islands.ts';
import { toElementVolume, toPlayLabel } from '../lib/playing.ts';
import { drawInto } from '../lib/wave-drawing.ts';

const early = window.early as import('../browser/early.ts').Early;

/** See `src/styles/sounds.css`. */
const HIDDEN = '[data-pictures]>li:not([data-shown])';

function startSound(button: HTMLElement, fromSec?: number) {
  if (early.press) return early.press(button, fromSec);
  const audio = (early.audio ??= new Audio());
  if (early.button === button && !audio.paused && fromSec === undefined) {
    audio.pause();
    return mark(button, false);
  }
  if (early.button !== button) {
    if (early.button) mark(early.button, false);
    audio.src = button.dataset['play'] ?? '';
    audio.volume = readVolume(button);
  }
  if (fromSec !== undefined) audio.currentTime = fromSec;
  early.fromSec = fromSec;
  early.button = button;
  mark(button, true);
  document.documentElement.dataset['player'] = '';
  // The sound comes first: nothing else loads before it is heard, paused or refused.
  void audio
    .play()
    .catch(() => mark(button, false))
    .finally(() => document.dispatchEvent(new Event('player:start')));
}

function mark(button: HTMLElement, isPlaying: boolean) {
  button.toggleAttribute('data-playing', isPlaying);
  button.ariaLabel = toPlayLabel(button.dataset['label'] ?? '', isPlaying);
}

function readVolume(button: Element) {
  const volume = Number(localStorage.getItem('player:volume') ?? 1);
  const gain = Number(button.closest<HTMLElement>('[data-gain]')?.dataset['gain'] ?? 1);
  const isLevelled = localStorage.getItem('player:level') !== 'false';
  return toElementVolume(volume >= 0 && volume <= 1 ? volume : 1, gain, isLevelled);
}

document.addEventListener(
  'click',
  (event) => {
    const target = event.target as Element;
    const play = target.closest<HTMLElement>('[data-play]');
    if (play) return startSound(play);
    const element = target.closest<HTMLElement>(`${WAITING_ISLANDS},${WAITING_PARTS}`);
    if (element?.dataset['island'] === 'wave') {
      const card = element.closest<HTMLElement>('[data-sound]');
      const button = card?.querySelector<HTMLElement>('[data-play]');
      const { left, width } = element.getBoundingClientRect();
      const durationSec = Number(card?.dataset['durationMs'] ?? 0) / 1000;
      if (button) startSound(button, ((event.clientX - left) / width) * durationSec);
      return;
    }
    const button = element && target.closest<HTMLElement>('[data-replay]');
    if (button) early.queuePress(event, button);
  },
  true,
);

/** Lazy pictures load a long way below the screen, and would delay a sound. These wait until they are in view, or a scroll. */
const inView = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) showPictures(target);
});

function showPictures(item: Element) {
  item.toggleAttribute('data-shown', true);
  inView.unobserve(item);
}

function prepareCards() {
  document.querySelectorAll('path[data-wave]:not([d])').forEach(drawInto);
  for (const item of document.querySelectorAll(HIDDEN)) inView.observe(item);
}

// The end of parsing, which comes before the scripts of the page have loaded.
for (const type of ['readystatechange', 'astro:after-swap']) document.addEventListener(type, prepareCards);
prepareCards();
// The position of a page that is visited again is restored by a scroll.
document.addEventListener('scroll', () => document.querySelectorAll(HIDDEN).forEach(showPictures), {
  passive: true,
});
