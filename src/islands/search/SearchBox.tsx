import { useEffect, useRef } from 'react';
import { SEARCH_LENGTH_MAX } from '../../../contract/listing-limits.ts';
import { type SoundFilters, hasOwnOrdering } from '../../lib/sound-filters.ts';
import { $search, saveScrollPosition } from '../../stores/search/search.ts';
import { Icon } from '../ui/Icon.tsx';

/** Letters that an input method has not yet converted to kana. */
const UNFINISHED = /[a-zａ-ｚ]$/i;

/** The navbar's search on /sounds (spec §2): follows each change; a GET form without script. */
export function SearchBox({ filters }: { filters: SoundFilters }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Includes text typed before hydration.
    const text = input.current?.value ?? '';
    $search.set(text === filters.search ? null : { text, isFinal: false });
    return () => $search.set(null);
  }, [filters]);
  const follow = (isFinal: boolean, isComposing = false) =>
    $search.set({ text: input.current?.value ?? '', isFinal, isComposing });
  return (
    <form
      role="search"
      action="/sounds"
      method="get"
      className="relative w-full max-w-[575px]"
      onSubmit={(event) => {
        event.preventDefault();
        follow(true);
      }}
    >
      {filters.type !== null && <input type="hidden" name="type" value={filters.type} />}
      {filters.isAiGenerated !== null && (
        <input type="hidden" name="is_ai_generated" value={String(filters.isAiGenerated)} />
      )}
      {filters.subGenres.map((id) => (
        <input key={id} type="hidden" name="sub_genres" value={id} />
      ))}
      {hasOwnOrdering(filters) && <input type="hidden" name="ordering" value={filters.ordering} />}
      <Icon name="search" className="pointer-events-none absolute top-3 left-3 size-5 text-muted" />
      <input
        ref={input}
        id="search"
        className="field w-full pl-10"
        type="search"
        name="search"
        placeholder="サウンドを検索"
        aria-label="サウンドを検索"
        autoComplete="off"
        enterKeyHint="search"
        maxLength={SEARCH_LENGTH_MAX}
        defaultValue={filters.search}
        onChange={(event) => {
          const isComposing = (event.nativeEvent as InputEvent).isComposing;
          if (!isComposing || !UNFINISHED.test(event.currentTarget.value)) follow(false, isComposing);
        }}
        onFocus={saveScrollPosition}
        onCompositionEnd={() => follow(false)}
      />
    </form>
  );
}
