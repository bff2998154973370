import type { ReadableAtom } from 'nanostores';
import type { ReactNode } from 'react';
import type { PagedList } from '../../stores/shared/paged.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { More } from '../ui/More.tsx';
import { useStore } from '../ui/use-store.ts';

interface PagedProps<Item> {
  list: { readonly $list: ReadableAtom<PagedList<Item>>; reload(): Promise<void>; more(): Promise<void> };
  /** Of a failure. */
  title: string;
  /** Shown in place of an empty list. */
  empty: string;
  /** The button for the next page. */
  more: string;
  children: (items: readonly Item[], isBusy: boolean) => ReactNode;
}

/** Shows a list that is read page by page. */
export function Paged<Item>({ list, title, empty, more, children }: PagedProps<Item>) {
  const known = useStore(list.$list);
  const { items, isRead, pending, failure } = known;
  const isReading = pending !== null || (!isRead && failure === null);
  return (
    <>
      <p role="status" className={isReading && items.length === 0 ? undefined : 'sr-only'}>
        {isReading ? '読み込んでいます…' : isRead && `${items.length}件を表示しています`}
      </p>
      {failure?.at === 'first' && (
        <LoadFailure title={title} error={failure.error} onRetry={() => void list.reload()} />
      )}
      {isRead && !isReading && items.length === 0 && <p className="form-note">{empty}</p>}
      {items.length > 0 && children(items, isReading)}
      <More list={known} onMore={() => void list.more()} label={more} className="mt-4" />
    </>
  );
}
