import { useLayoutEffect, useRef } from 'react';
import { RESULTS_REACHABLE } from '../../../contract/listing-limits.ts';
import { formatCount } from '../../lib/format.ts';
import { PAGES_MAX, toSoundsUrl } from '../../lib/sound-filters.ts';
import type { Listing } from '../../lib/listing.ts';

interface PaginationProps {
  listing: Listing;
  isLoading: boolean;
  /** Appends the next page; undefined if no more pages can be appended here. */
  onMore: (() => void) | undefined;
}

/** もっと見る or a link to the next page, and the numbered pages. */
export function Pagination({ listing, isLoading, onMore }: PaginationProps) {
  const { filters, next, isCapped } = listing;
  const pages = listPageNumbers(listing);
  const end = useRef<HTMLParagraphElement>(null);
  const hasNext = next !== null && next <= PAGES_MAX;
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    // The last press removes the link, so focus moves to the note in its place.
    if (!hadFocus.current || document.activeElement !== document.body) return;
    hadFocus.current = false;
    end.current?.focus();
  });
  if (pages.length <= 1 && next === null) return null;
  const canAppend = onMore !== undefined;
  return (
    <div className="mt-8 flex flex-col items-center gap-6">
      {hasNext ? (
        <div className="text-center">
          {!canAppend && <p className="mb-2 text-sm text-muted">1ページに表示できるのはここまでです。</p>}
          <a
            className="button min-w-48"
            href={toSoundsUrl(
              canAppend ? { ...filters, lastPage: next } : { ...filters, page: next, lastPage: next },
            )}
            aria-busy={isLoading || undefined}
            onFocus={() => (hadFocus.current = true)}
            onBlur={() => (hadFocus.current = false)}
            onClick={(event) => {
              if (!canAppend || event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              onMore();
            }}
          >
            {!canAppend ? `つづきは${next}ページへ` : isLoading ? 'Loading...' : 'もっと見る'}
          </a>
        </div>
      ) : (
        <p ref={end} tabIndex={-1} className="text-sm text-muted">
          {next !== null || isCapped
            ? `表示できるのは${formatCount(RESULTS_REACHABLE)}件までです。条件を絞り込んでお探しください。`
            : 'サウンドはここまでです。'}
        </p>
      )}
      <nav aria-label="ページ">
        <ul className="flex flex-wrap justify-center gap-1">
          {pages.map((page, index) => (
            <li key={page} className="flex items-center">
              {page - (pages[index - 1] ?? page) > 1 && <span className="px-2 text-muted">…</span>}
              <a
                className="chip tabular min-w-11 justify-center"
                href={toSoundsUrl({ ...filters, page, lastPage: page })}
                aria-label={`${page}ページ`}
                aria-current={page >= filters.page && page <= filters.lastPage ? 'true' : undefined}
              >
                {page}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

/** The first and last page, and those around the pages shown; without a count, up to the last known page. */
function listPageNumbers(listing: Listing): number[] {
  const { filters } = listing;
  const last = findLastNumber(listing);
  const near = Array.from(
    { length: filters.lastPage - filters.page + 5 },
    (_, index) => filters.page - 2 + index,
  );
  return [...new Set([1, ...near, last])].filter((page) => page >= 1 && page <= last).sort((a, b) => a - b);
}

/** A host may use another page size. If there is a next page, the number of sounds shown reveals it. */
function findLastNumber({ filters, next, count, sounds }: Listing): number {
  if (next === null) return filters.lastPage;
  if (count === undefined) return next;
  const pageSize = Math.max(1, Math.ceil(sounds.length / (filters.lastPage - filters.page + 1)));
  return Math.min(PAGES_MAX, Math.max(next, Math.ceil(count / pageSize)));
}
