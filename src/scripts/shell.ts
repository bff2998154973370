import { prefetch } from 'astro:prefetch';
import { watchKeys } from './keys.ts';
import { watchNavigation } from './progress.ts';

/** Spec §9: links are prefetched when the pointer has rested on them this long. */
const PREFETCH_AFTER_MS = 50;

let timer: ReturnType<typeof setTimeout> | undefined;

function prefetchLater(event: Event): void {
  const link = (event.target as Element).closest?.('a');
  if (!link || link.origin !== location.origin || link.target !== '') return;
  clearTimeout(timer);
  timer = setTimeout(() => prefetch(link.href), PREFETCH_AFTER_MS);
}

document.addEventListener('pointerover', prefetchLater, { passive: true });
document.addEventListener('focusin', prefetchLater);
document.addEventListener('pointerout', () => clearTimeout(timer), { passive: true });

watchNavigation();
watchKeys();
