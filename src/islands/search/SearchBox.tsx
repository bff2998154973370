import { useEffect, useRef } from 'react';
import { SEARCH_LENGTH_MAX } from '../../../contract/listing-limits.ts';
import { $search } from '../../stores/search/search.ts';
import { Icon } from '../ui/Icon.tsx';

/** Letters that an input method has not yet converted to kana. */
const UNFINISHED = /[a-zａ-ｚ]$/i;

/**
 * The navbar's search on /sounds (spec §2): follows each change; a GET form without script. The listing adds the filters
 * that the form keeps.
 */
export function SearchBox({ text }: { text: string }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Includes text typed before hydration.
    const { value: typed = '', dataset = {} } = input.current ?? {};
    const shown = new URLSearchParams(location.search).get('search') ?? '';
    const isComposing = dataset['composing'] !== undefined;
    if (typed !== shown && !isComposing) $search.set({ text: typed, isFinal: false });
    return () => $search.set(null);
  }, []);
  const follow = (isFinal: boolean, isComposing = false) =>
    $search.set({ text: input.current?.value ?? '', isFinal, isComposing });
  return (
    <form
      id="search-form"
      role="search"
      action="/sounds"
      method="get"
      className="relative w-full max-w-[575px]"
      onSubmit={(event) => {
        event.preventDefault();
        follow(true);
      }}
    >
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
        defaultValue={text}
        onChange={(event) => {
          const isComposing = (event.nativeEvent as InputEvent).isComposing;
          if (!isComposing || !UNFINISHED.test(event.currentTarget.value)) follow(false, isComposing);
        }}
        onCompositionEnd={() => follow(false)}
      />
    </form>
  );
}
