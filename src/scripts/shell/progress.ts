import { onPage } from '../../browser/page-cache.ts';

/** Spec §9: a navigation that takes longer than this shows the bar, with a minimum display time. */
const PENDING_AFTER_MS = 1000;
const PENDING_AT_LEAST_MS = 500;

/** Shows `#progress` while a navigation takes long. */
export function watchNavigation(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownAt: number | null = null;

  const toggle = (isShown: boolean) => {
    shownAt = isShown ? (shownAt ?? performance.now()) : null;
    document.getElementById('progress')?.toggleAttribute('hidden', !isShown);
  };
  const after = (ms: number, isShown: () => boolean) => {
    clearTimeout(timer);
    timer = setTimeout(() => toggle(isShown()), ms);
  };

  // One that is left to the browser may not take place, as the browser asks before something is lost.
  document.addEventListener('astro:before-preparation', (event) =>
    after(PENDING_AFTER_MS, () => !event.defaultPrevented),
  );
  onPage('show', () => {
    clearTimeout(timer);
    toggle(false);
  });
  document.addEventListener('astro:page-load', () => {
    if (shownAt === null) clearTimeout(timer);
    else after(shownAt + PENDING_AT_LEAST_MS - performance.now(), () => false);
  });
}
