import type { TransitionBeforePreparationEvent, TransitionBeforeSwapEvent } from 'astro:transitions/client';
import type { Task } from './tasks.ts';

/** What this site stores with an entry of the history, beside the state of the router: where Back and Forward return to. */
interface Place {
  /** The element that was pressed when the entry was left. */
  readonly focusId?: string | undefined;
  /** The position in the list, where a search has scrolled to the top before it began. */
  readonly scrollY?: number | undefined;
}

interface State {
  readonly place?: Place;
}

/** The position before the search box had the focus, which scrolls to the top. */
let scrollBefore = 0;

/** Notes the position whenever the search box gets the focus. */
export function watchSearchBox(): void {
  document.addEventListener('focusin', ({ target }) => {
    if ((target as Element).id === 'search') scrollBefore = Math.round(scrollY);
  });
}

/** Stores with the entry that is left where to return to. */
export function rememberPlace(
  task: Task,
  { navigationType, sourceElement: source }: TransitionBeforePreparationEvent,
): void {
  // After Back, the entry is already another one.
  if (task === 'more' || navigationType === 'traverse') return;
  const isSearch = task === 'search' || source?.id === 'search-form';
  const place: Place = {
    focusId: source?.id || undefined,
    scrollY: isSearch && scrollBefore > scrollY ? scrollBefore : undefined,
  };
  scrollBefore = 0;
  history.replaceState({ ...(history.state as object), place }, '');
}

/**
 * One rule for all navigations. Focus stays on the element with the same id, or returns to the one that was pressed. The
 * position is the top, that of before, or with more sounds the same. Panels that were unfolded stay so.
 */
export function keepPlace(task: Task, { navigationType }: TransitionBeforeSwapEvent): void {
  const focusedId = document.activeElement?.id ?? '';
  const openIds = [...document.querySelectorAll('details[open]')].map(
    (panel) => panel.id || panel.querySelector('summary')?.id || '',
  );
  const position = scrollY;
  const restore = () => {
    for (const id of openIds) document.getElementById(id)?.closest('details')?.setAttribute('open', '');
    const { place } = (history.state ?? {}) as State;
    const isReturn = navigationType === 'traverse';
    const top = task === 'more' ? position : isReturn ? place?.scrollY : undefined;
    if (top !== undefined) scrollTo({ top, behavior: 'instant' });
    const element = document.getElementById(isReturn ? (place?.focusId ?? '') : focusedId);
    // The note at the end of the list comes after the new sounds.
    const isNote = task === 'more' && element?.tabIndex === -1;
    if (element !== document.activeElement) element?.focus({ preventScroll: !isNote });
  };
  document.addEventListener('astro:after-swap', restore, { once: true });
}
