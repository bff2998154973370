import { useLayoutEffect, useRef } from 'react';
import { LoadFailure } from './LoadFailure.tsx';

interface MoreProps {
  list: {
    readonly items: readonly unknown[];
    readonly hasMore: boolean;
    readonly pending: 'first' | 'more' | null;
    readonly failure: { readonly at: 'first' | 'more'; readonly error: unknown } | null;
  };
  /** Reads the next page, also after a failure; a second call is ignored. */
  onMore: () => void;
  label: string;
  /** Shown in place of the label while the next page is read. */
  busyLabel?: string;
  className?: string;
}

/** The button for the next page below a list or table, and why that page could not be read. */
export function More({
  list: { items, hasMore, pending, failure },
  onMore,
  label,
  busyLabel = label,
  className = '',
}: MoreProps) {
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const countBefore = useRef<number | null>(null);
  const isBusy = pending === 'more';
  useLayoutEffect(() => {
    const count = countBefore.current;
    if (isBusy || count === null) return;
    countBefore.current = null;
    // After the last page the button disappears, so focus has to move.
    if (!hasMore && document.activeElement === document.body) focusItem(place.current, count);
  }, [isBusy, hasMore]);
  const showMore = () => {
    countBefore.current = items.length;
    // The button of the failure disappears.
    button.current?.focus({ preventScroll: true });
    onMore();
  };
  return (
    <div ref={place} className="contents">
      {failure?.at === 'more' && <LoadFailure error={failure.error} onRetry={showMore} />}
      {hasMore && (
        <button
          ref={button}
          type="button"
          className={`button ${className}`}
          // Not disabled, so that focus is not lost.
          aria-disabled={isBusy || undefined}
          aria-busy={isBusy || undefined}
          onClick={showMore}
        >
          {isBusy ? busyLabel : label}
        </button>
      )}
    </div>
  );
}

/** Focuses the first of the new items, or the last item if there are none. */
function focusItem(place: HTMLElement | null, index: number): void {
  const items = place?.previousElementSibling?.querySelectorAll<HTMLElement>(':scope > li, tbody > tr');
  const item = items?.[index] ?? items?.[items.length - 1];
  const target = item?.querySelector<HTMLElement>('button, a') ?? item;
  if (target === item) item?.setAttribute('tabindex', '-1');
  target?.focus();
}
