import { formatCount } from '../../lib/format.ts';
import type { Listing } from '../../lib/listing.ts';

/** The number of sounds found, announced when it changes. A host may not send it. */
export function ResultCount({ listing }: { listing: Listing }) {
  const { count, isCapped, searchedCount, filters } = listing;
  return (
    <p role="status" className="text-sm text-muted">
      {filters.search !== '' && <span className="text-ink">「{filters.search}」の検索結果 </span>}
      {count !== undefined && (
        <span className="tabular">
          {formatCount(count)}件{isCapped ? '以上' : ''}
        </span>
      )}
      {searchedCount !== undefined && `（一覧のはじめの${formatCount(searchedCount)}件から検索）`}
    </p>
  );
}
