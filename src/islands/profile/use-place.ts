import { type RefObject, useEffect } from 'react';
import { useShared } from '../../lib/use-shared.ts';
import { $place } from '../../stores/profile/profile.ts';
import type { Place } from '../../stores/profile/profile.ts';

/**
 * Takes the member to a requested place of the page: scrolls the element into view, focuses it, and opens the block
 * of which it is the summary. Waits until the content above it has its final size.
 */
export function usePlace(place: Place, element: RefObject<HTMLElement | null>, isReady = true): void {
  const wanted = useShared($place, null);
  useEffect(() => {
    if (wanted !== place || !isReady || !element.current) return;
    $place.set(null);
    const details = element.current.closest('details');
    if (details) details.open = true;
    element.current.focus({ preventScroll: true });
    (details ?? element.current).scrollIntoView({ block: details ? 'start' : 'center' });
  }, [wanted, place, element, isReady]);
}
