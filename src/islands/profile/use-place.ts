import { type RefObject, useEffect } from 'react';
import { $place } from '../../stores/profile/profile.ts';
import type { Place } from '../../stores/profile/profile.ts';
import { useStore } from '../ui/use-store.ts';

/**
 * Takes the member to a requested place of the page: opens the block of which the element is the summary, scrolls it
 * into view and focuses it. Scrolling waits until the content above has its final size; opening does not, because a
 * member who presses something meanwhile stays where they are.
 */
export function usePlace(place: Place, element: RefObject<HTMLElement | null>, isReady = true): void {
  const wanted = useStore($place);
  useEffect(() => {
    if (wanted !== place || !element.current) return;
    const details = element.current.closest('details');
    if (details) details.open = true;
    if (!isReady) return;
    $place.set(null);
    element.current.focus({ preventScroll: true });
    (details ?? element.current).scrollIntoView({ block: details ? 'start' : 'center' });
  }, [wanted, place, element, isReady]);
}
