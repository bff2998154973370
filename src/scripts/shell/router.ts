let loading: Promise<void> | undefined;
/** Whether presses wait for the router. */
let isDelaying = true;

/**
 * Loads Astro's router, a larger script than all others of a page of text, with the first sign that someone may follow
 * a link, and once a sound plays. A press that comes before the router waits for it. Without a router, links and forms
 * load whole pages.
 */
export function watchLinks(): void {
  const prepare = ({ target }: Event) => void ((target as Element).closest('a, form') && loadRouter());
  document.addEventListener('pointerover', prepare, { passive: true });
  document.addEventListener('focusin', prepare);
  document.addEventListener('player:start', () => void loadRouter());
  // It stores the position to return to.
  document.addEventListener('scroll', () => void loadRouter(), { once: true, passive: true });
  document.addEventListener('click', delayClick);
  document.addEventListener('submit', delaySubmit);
  // Entries of the router in the history: it has to handle Back and Forward.
  if (history.state) void loadRouter();
}

/** Resolves also if the router cannot be loaded now. */
function loadRouter(): Promise<void> {
  loading ??= importRouter();
  return loading.catch(() => (loading = undefined));
}

async function importRouter(): Promise<void> {
  const { src = '' } = document.querySelector<HTMLScriptElement>('script[type=router]') ?? {};
  // A later deployment has other files: then the press loads its own page, rather than this one anew.
  const { ok } = await fetch(src);
  if (!ok) return;
  const { watchNavigations } = await import('../../navigation/navigation.ts');
  watchNavigations();
  // The same file.
  await import(/* @vite-ignore */ src);
  isDelaying = false;
  // Until then, Back reloaded the page (`early.ts`).
  onpopstate = null;
}

function delayClick(event: MouseEvent): void {
  const link = (event.target as Element).closest('a');
  const isElsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || isElsewhere || link.origin !== location.origin || link.target) return;
  const isHere = link.hash && link.pathname + link.search === location.pathname + location.search;
  if (!isHere && !link.matches('[download], [data-astro-reload]')) delay(event, () => link.click());
}

function delaySubmit(event: SubmitEvent): void {
  delay(event, () => (event.target as HTMLFormElement).requestSubmit(event.submitter));
}

function delay(event: Event, repeat: () => void): void {
  if (!isDelaying || event.defaultPrevented) return;
  event.preventDefault();
  void loadRouter().then(() => {
    const wasDelaying = isDelaying;
    isDelaying = false;
    repeat();
    isDelaying = wasDelaying;
  });
}
