import { useState } from 'react';
import type { Capability } from '../../../contract/capabilities.ts';
import type { Genre, SoundType } from '../../../contract/genres.ts';
import { useShared } from '../../lib/use-shared.ts';
import { type Listing, canShowMore } from '../../lib/listing.ts';
import { READY, createSoundBrowser } from '../../stores/search/search.ts';
import { ActiveFilters } from './ActiveFilters.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import { ListingNotice } from './ListingNotice.tsx';
import { NothingFound } from './NothingFound.tsx';
import { OrderingLinks } from './OrderingLinks.tsx';
import { Pagination } from './Pagination.tsx';
import { ResultCount } from './ResultCount.tsx';
import { SoundGrid } from './SoundGrid.tsx';

interface SoundBrowserProps {
  listing: Listing;
  types: readonly SoundType[];
  genres: readonly Genre[];
  capabilities: readonly Capability[];
}

/** The listing at /sounds with its filters. All of it works without JavaScript. */
export function SoundBrowser({ listing: first, types, genres, capabilities }: SoundBrowserProps) {
  const [browser] = useState(() => createSoundBrowser(first));
  const listing = useShared(browser.$listing, first);
  const state = useShared(browser.$state, READY);
  const { filters, sounds } = listing;
  /** The old results are dimmed briefly; during a longer wait they stay readable. */
  const isDimmed = state.state === 'searching' && !state.delay;
  const isEmpty = sounds.length === 0;
  return (
    <div className="gap-8 lg:grid lg:grid-cols-[232px_minmax(0,1fr)]">
      <FilterPanel
        filters={filters}
        types={types}
        genres={genres}
        hasAiFilter={capabilities.includes('sounds-by-ai')}
      />
      <section id="results" tabIndex={-1} aria-label="検索結果" aria-busy={state.state === 'searching'}>
        <h2 className="sr-only">検索結果</h2>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <ResultCount listing={listing} />
          {!isEmpty && capabilities.includes('sounds-in-order') && <OrderingLinks filters={filters} />}
        </div>
        <ActiveFilters filters={filters} types={types} genres={genres} />
        <ListingNotice state={state} about="searching" />
        <div className={`mt-4 transition-opacity ${isDimmed ? 'opacity-60' : ''}`}>
          {isEmpty ? (
            <NothingFound filters={filters} types={types} genres={genres} />
          ) : (
            <SoundGrid
              sounds={sounds}
              label="サウンド"
              hasSoundPages={capabilities.includes('sound-pages')}
            />
          )}
        </div>
        <p role="status" className="sr-only">
          {filters.lastPage > filters.page && `${sounds.length}件を表示しています`}
        </p>
        <ListingNotice state={state} about="loading-more" />
        <Pagination
          listing={listing}
          isLoading={state.state === 'loading-more'}
          onMore={canShowMore(filters) ? () => void browser.showMore() : undefined}
        />
      </section>
    </div>
  );
}
