/** Spec §9: a navigation that takes longer than this shows the bar, which then stays a while. */
const PENDING_AFTER_MS = 1000;
const PENDING_AT_LEAST_MS = 500;

/** Shows `#progress` while a navigation keeps people waiting. */
export function watchNavigation(): void {
  let wait: ReturnType<typeof setTimeout> | undefined;
  let shownAt = 0;

  const show = () => {
    shownAt = performance.now();
    document.getElementById('progress')?.toggleAttribute('hidden', false);
  };
  const hide = () => {
    clearTimeout(wait);
    const left = shownAt === 0 ? 0 : PENDING_AT_LEAST_MS - (performance.now() - shownAt);
    setTimeout(() => document.getElementById('progress')?.toggleAttribute('hidden', true), Math.max(0, left));
    shownAt = 0;
  };

  document.addEventListener('astro:before-preparation', () => {
    clearTimeout(wait);
    wait = setTimeout(show, PENDING_AFTER_MS);
  });
  document.addEventListener('astro:page-load', hide);
}
