import { ApiError } from '../../../contract/calls/errors.ts';
import { memberAtom } from './member-atom.ts';

/** One page, as most hosts' replies have it. */
interface Page<Item, Cursor> {
  readonly results: readonly Item[];
  /** null on the last page. */
  readonly next: Cursor | null;
}

/** The loaded part of a list. */
export interface PagedList<Item, Query = unknown> {
  /** What is listed; null before the first `load`. */
  readonly query: Query | null;
  readonly items: readonly Item[];
  readonly hasMore: boolean;
  /** Whether `items` has been read, so that no items means an empty list. */
  readonly isRead: boolean;
  /** The read under way: of the list from its first page, or of the next page. */
  readonly pending: 'first' | 'more' | null;
  /** Why the last read failed. */
  readonly failure: { readonly at: 'first' | 'more'; readonly error: unknown } | null;
}

export interface PagedOptions<Item, Query, Cursor> {
  /** Reads one page; null: the first one. */
  read(query: Query, cursor: Cursor | null, signal: AbortSignal): Promise<Page<Item, Cursor>>;
  idOf(item: Item): string;
  /** By how many pages the next items have moved up, because the host no longer lists some of these. */
  countMovedPages?(items: readonly Item[], query: Query): number;
  /** Whether the items of a query, if any, stay until those of the next one are read, as in a search while typing. */
  readonly keepsItems?: boolean;
}

const NOT_READ: PagedList<never, never> = {
  query: null,
  items: [],
  hasMore: false,
  isRead: false,
  pending: null,
  failure: null,
};

/**
 * A list that is read page by page. Each read cancels the previous one, whose answer is dropped; so does a log-out. The
 * items of a query stay while it is read again, and after a failure. Never throws. For module-level stores only.
 */
export function createPaged<Item, Query = void, Cursor = number>({
  read,
  idOf,
  countMovedPages = () => 0,
  keepsItems = false,
}: PagedOptions<Item, Query, Cursor>) {
  let reading = new AbortController();
  const $list = memberAtom<PagedList<Item, Query>>(NOT_READ, () => reading.abort());
  /** The start of each page so far; the last one is not loaded if the list has more. */
  let cursors: readonly (Cursor | null)[] = [null];
  /** Whether the list was to be read again, and has not been. */
  let isStale = false;

  /** Reads the pages from one index to another, as far as they exist. */
  async function readPages(query: Query, from: number, to: number, signal: AbortSignal) {
    const starts = cursors.slice(0, from + 1);
    let items: readonly Item[] = [];
    for (;;) {
      const page = await read(query, starts.at(-1) ?? null, signal);
      items = join(items, page.results);
      if (page.next === null) return { items, starts, hasMore: false };
      starts.push(page.next);
      if (starts.length > to + 1) return { items, starts, hasMore: true };
    }
  }

  async function startRead(
    at: 'first' | 'more',
    work: (signal: AbortSignal) => ReturnType<typeof readPages>,
  ): Promise<void> {
    reading.abort();
    reading = new AbortController();
    const { signal } = reading;
    $list.set({ ...$list.get(), pending: at, failure: null });
    try {
      const { items, starts, hasMore } = await work(signal);
      if (signal.aborted) return;
      cursors = starts;
      isStale = false;
      $list.set({ ...$list.get(), items, hasMore, isRead: true, pending: null });
    } catch (error) {
      if (!signal.aborted) $list.set({ ...$list.get(), pending: null, failure: { at, error } });
    }
  }

  /** Reads a query as far as it is loaded; another query from its first page. */
  function load(query: Query): Promise<void> {
    const list = $list.get();
    if (list.query === null || JSON.stringify(list.query) !== JSON.stringify(query)) {
      cursors = [null];
      const { items, isRead } = keepsItems && list.items.length > 0 ? list : NOT_READ;
      $list.set({ ...NOT_READ, query, items, isRead });
    }
    // A requested next page is still needed.
    return readAgain(query, list.pending === 'more' && $list.get().hasMore ? 'more' : 'first');
  }

  function readAgain(query: Query, at: 'first' | 'more'): Promise<void> {
    isStale = true;
    const lastLoaded = cursors.length - ($list.get().hasMore ? 2 : 1);
    return startRead(at, (signal) =>
      readPages(query, 0, at === 'more' ? lastLoaded + 1 : lastLoaded, signal),
    );
  }

  /** Reads the same query again; nothing before the first `load`. */
  async function reload(): Promise<void> {
    const { query } = $list.get();
    if (query !== null) await load(query);
  }

  /** Appends the next page. */
  async function more(): Promise<void> {
    const { query, items, hasMore, pending } = $list.get();
    if (query === null || !hasMore || pending === 'more') return;
    if (isStale) return readAgain(query, 'more');
    const next = cursors.length - 1;
    await startRead('more', async (signal) => {
      try {
        const pages = await readPages(query, Math.max(0, next - countMovedPages(items, query)), next, signal);
        return { ...pages, items: join($list.get().items, pages.items) };
      } catch (error) {
        // The list has become shorter, and this page no longer exists.
        if (error instanceof ApiError && error.status === 404) return readPages(query, 0, next, signal);
        throw error;
      }
    });
  }

  /** Shows accepted changes of an item before the list is read again. */
  function change(id: string, changes: Partial<Item>): void {
    const list = $list.get();
    const items = list.items.map((item) => (idOf(item) === id ? { ...item, ...changes } : item));
    $list.set({ ...list, items });
  }

  /** Removes an item before the list is read again. */
  function remove(id: string): void {
    const list = $list.get();
    $list.set({ ...list, items: list.items.filter((item) => idOf(item) !== id) });
  }

  /** Empties the list. */
  function close(): void {
    reading.abort();
    $list.set(NOT_READ);
  }

  /** An item that has moved to a later page is not listed twice. */
  function join(items: readonly Item[], added: readonly Item[]): readonly Item[] {
    const ids = new Set(items.map(idOf));
    return [...items, ...added.filter((item) => !ids.has(idOf(item)))];
  }

  return { $list, load, reload, more, change, remove, close };
}
