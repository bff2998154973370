import type { ReadableAtom } from 'nanostores';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import type { PagedList } from '../../stores/shared/paged.ts';
import { LoadFailure } from './LoadFailure.tsx';
import { useStore } from './use-store.ts';

interface PagedProps<Item> {
  list: { readonly $list: ReadableAtom<PagedList<Item>>; reload(): Promise<void>; more(): Promise<void> };
  /** Of a failure, unless its position shows what is missing. */
  title?: string;
  /** Displayed instead of an empty list. */
  empty: ReactNode;
  /** Displayed before the first page. A text is also the button's label while it reads the next one. */
  loading?: ReactNode;
  /** The label of the button for the next page; without it there is no button. */
  more?: string;
  moreClassName?: string;
  children: (items: readonly Item[], isBusy: boolean) => ReactNode;
}

/** Shows a list that is read page by page. */
export function Paged<Item>({
  list,
  title = '',
  empty,
  loading,
  more,
  moreClassName = 'mt-4',
  children,
}: PagedProps<Item>) {
  const { items, hasMore, isRead, pending, failure } = useStore(list.$list);
  const footer = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const countBefore = useRef<number | null>(null);
  const isFirst = !isRead && failure === null;
  const isBusy = pending === 'more';
  useLayoutEffect(() => {
    const count = countBefore.current;
    if (isBusy || count === null) return;
    countBefore.current = null;
    // After the last page the button disappears, so focus has to move.
    if (!hasMore && document.activeElement === document.body) focusItem(footer.current, count);
  }, [isBusy, hasMore]);
  const showMore = () => {
    countBefore.current = items.length;
    // The button of the failure disappears.
    button.current?.focus({ preventScroll: true });
    void list.more();
  };
  return (
    <>
      <p role="status" className={isFirst && items.length === 0 ? undefined : 'sr-only'}>
        {isFirst ? (loading ?? '読み込んでいます…') : isRead && `${items.length}件を表示しています`}
      </p>
      {failure?.at === 'first' && (
        <LoadFailure title={title} error={failure.error} onRetry={() => void list.reload()} />
      )}
      {isRead && !hasMore && items.length === 0 && <EmptyHint>{empty}</EmptyHint>}
      {items.length > 0 && children(items, pending !== null)}
      <div ref={footer} className="contents">
        {failure?.at === 'more' && <LoadFailure error={failure.error} onRetry={showMore} />}
        {hasMore && more !== undefined && (
          <button
            ref={button}
            type="button"
            className={`button ${moreClassName}`}
            // Not disabled, so that focus is not lost.
            aria-disabled={isBusy || undefined}
            aria-busy={isBusy || undefined}
            onClick={showMore}
          >
            {isBusy && typeof loading === 'string' ? loading : more}
          </button>
        )}
      </div>
    </>
  );
}

function EmptyHint({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <p className="form-note">{children}</p> : children;
}

/** Focuses the first of the new items, or the last item if there are none. */
function focusItem(footer: HTMLElement | null, index: number): void {
  const items = footer?.previousElementSibling?.querySelectorAll<HTMLElement>(':scope > li, tbody > tr');
  const item = items?.[index] ?? items?.[items.length - 1];
  const target = item?.querySelector<HTMLElement>('button, a') ?? item;
  if (target === item) item?.setAttribute('tabindex', '-1');
  target?.focus();
}
