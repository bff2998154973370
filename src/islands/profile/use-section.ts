import { type RefObject, useEffect } from 'react';
import { $section } from '../../stores/profile/profile.ts';
import type { Section } from '../../stores/profile/profile.ts';
import { useStore } from '../ui/use-store.ts';

/**
 * Takes the member to a requested section of the page: opens the block of which the element is the summary, scrolls it
 * into view and focuses it. Scrolling waits until the content above has its final size; opening does not, because a
 * member who presses something meanwhile stays where they are.
 */
export function useSection(section: Section, element: RefObject<HTMLElement | null>, isReady = true): void {
  const wanted = useStore($section);
  useEffect(() => {
    if (wanted !== section || !element.current) return;
    const details = element.current.closest('details');
    if (details) details.open = true;
    if (!isReady) return;
    $section.set(null);
    element.current.focus({ preventScroll: true });
    (details ?? element.current).scrollIntoView({ block: details ? 'start' : 'center' });
  }, [wanted, section, element, isReady]);
}
