import { readStored, writeStored } from '../browser/stored.ts';

/**
 * Inlined below the announcements (`components/Announcements.astro`), so that dismissed ones are hidden before the first
 * paint. The router runs it once; later pages are handled after their swap.
 */
const KEY = 'announcements:dismissed';
/** More than a page ever shows. */
const STORED_MAX = 20;

const readDismissed = () => readStored(KEY, (stored): unknown[] => (Array.isArray(stored) ? stored : []));

function hideDismissed() {
  const dismissed = readDismissed();
  for (const item of document.querySelectorAll<HTMLElement>('[data-announcement]')) {
    item.hidden = dismissed.includes(item.dataset['announcement']);
    item.querySelector('button')?.removeAttribute('hidden');
  }
  hideEmpty();
}

/** Screen readers list a region even if it is empty. */
function hideEmpty() {
  for (const region of document.querySelectorAll<HTMLElement>('section:has(> [data-announcement])'))
    region.hidden = !region.querySelector('[data-announcement]:not([hidden])');
}

document.addEventListener('click', ({ target }) => {
  const item = (target as Element).closest('button')?.closest<HTMLElement>('[data-announcement]');
  if (!item) return;
  item.hidden = true;
  hideEmpty();
  // The button that had the focus is gone.
  document.getElementById('main')?.focus({ preventScroll: true });
  writeStored(KEY, [item.dataset['announcement'], ...readDismissed()].slice(0, STORED_MAX));
});
document.addEventListener('astro:after-swap', hideDismissed);
hideDismissed();
