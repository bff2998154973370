import { isListing, toFragmentUrl } from '../../lib/fragments.ts';

/** Spec §9: links are prefetched when the pointer has been on them this long. */
const PREFETCH_AFTER_MS = 50;

interface Connection {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** Prefetches pages into the browser's cache; the server sets their lifetime. */
export function prefetchAhead(): void {
  const asked = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (event: Event) => {
    const link = (event.target as Element).closest?.('a');
    // もっと見る asks for its page itself.
    if (!link || link.origin !== location.origin || link.target || link.id === 'more' || isSavingData())
      return;
    clearTimeout(timer);
    timer = setTimeout(() => prefetch(link), PREFETCH_AFTER_MS);
  };
  const prefetch = (target: HTMLAnchorElement) => {
    const { href } = target;
    if (asked.has(href) || href === location.href) return;
    asked.add(href);
    const link = document.createElement('link');
    link.rel = 'prefetch';
    // From one listing to another, the listing alone is requested (`src/navigation/tasks.ts`).
    link.href = isListing(target) && document.getElementById('listing') ? toFragmentUrl(target) : href;
    document.head.append(link);
  };

  document.addEventListener('pointerover', later);
  document.addEventListener('focusin', later);
  document.addEventListener('pointerout', () => clearTimeout(timer));
  // A prefetched page is fresh for only half a minute, so the next page may prefetch it again.
  document.addEventListener('astro:page-load', () => asked.clear());
}

/** Whether to save the visitor's data (save-data or a slow connection). */
function isSavingData(): boolean | undefined {
  const connection = Reflect.get(navigator, 'connection') as Connection | undefined;
  return connection?.saveData || connection?.effectiveType?.includes('2g');
}
