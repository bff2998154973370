import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { navigate } from '../../navigation/navigate.ts';
import { SEARCH_LENGTH_MAX } from '../../../contract/sounds/listing-limits.ts';
import { isComposing } from '../../browser/composition.ts';
import { artistPath, soundPath } from '../../lib/paths.ts';
import {
  $box,
  $completions,
  type Option,
  clearRecent,
  closeBox,
  findActive,
  leaveBox,
  listOptions,
  offer,
  pressKey,
  readRecent,
  removeRecent,
  searchFor,
} from '../../stores/search/search.ts';
import { Icon } from '../ui/Icon.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { LIST_ID, SearchOptions, toOptionId } from './SearchOptions.tsx';
import { useStore } from '../ui/use-store.ts';

/**
 * The navbar's search on /sounds (spec §2): searches on each change and offers completions; a GET form without script.
 * The listing adds the filters that the form keeps.
 */
export function SearchBox({ text }: { text: string }) {
  const input = useRef<HTMLInputElement>(null);
  /** Before hydration the box is a plain input without a list. */
  const isHydrated = useHydrated();
  const box = useStore($box);
  const found = useStore($completions);
  const options = box.isOpen ? listOptions(box.typed, readRecent(), found) : [];
  const activeIndex = findActive(box, options);
  const isShown = options.length > 0;

  useEffect(() => {
    // Includes text typed before hydration.
    const { value: typed = '' } = input.current ?? {};
    const current = new URLSearchParams(location.search).get('search') ?? '';
    if (typed !== current && !isComposing()) searchFor(typed, false);
    if (document.activeElement === input.current) offer(typed, typed !== current);
    return closeBox;
  }, []);

  useEffect(() => {
    document.getElementById(toOptionId(activeIndex))?.scrollIntoView({ block: 'nearest' });
  }, [activeIndex]);

  function applyText(isFinal: boolean) {
    const value = input.current?.value ?? '';
    searchFor(value, isFinal);
    offer(value, true);
    if (isFinal) leaveBox();
  }

  /** Replaces the text, which only an explicit choice does. */
  function write(value: string, isFinal: boolean) {
    if (input.current) input.current.value = value;
    applyText(isFinal);
  }

  function choose({ kind, text: chosen, id }: Option) {
    if (kind === 'recent' || kind === 'word') return write(chosen, true);
    closeBox();
    void navigate(kind === 'artist' ? artistPath(chosen) : soundPath(id ?? ''));
  }

  function forget(remove: () => void) {
    remove();
    $box.set({ ...$box.get(), active: null });
    input.current?.focus();
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const active = options[activeIndex];
    const { state, effect, isHandled } = pressKey(box, options, event.nativeEvent);
    if (isHandled) event.preventDefault();
    if (state.isOpen && !box.isOpen) offer(event.currentTarget.value, true);
    $box.set({ ...$box.get(), ...state });
    if (effect === 'clear' && event.currentTarget.value !== '') write('', false);
    if (effect === 'choose' && active) choose(active);
    if (effect === 'forget' && active) forget(() => removeRecent(active.text));
  }

  const leave = ({ relatedTarget }: FocusEvent) => {
    if (!input.current?.form?.contains(relatedTarget)) leaveBox();
  };

  return (
    <form
      id="search-form"
      role="search"
      action="/sounds"
      method="get"
      className="relative w-full max-w-[575px]"
      onSubmit={(event) => {
        event.preventDefault();
        applyText(true);
      }}
    >
      <Icon
        name="search"
        className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-muted"
      />
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
        {...(isHydrated && {
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-controls': LIST_ID,
          'aria-expanded': isShown,
          'aria-activedescendant': activeIndex < 0 ? undefined : toOptionId(activeIndex),
        })}
        onFocus={(event) => offer(event.currentTarget.value, false)}
        onBlur={leave}
        onKeyDown={press}
        onChange={(event) => {
          // Text that an input method composes gets completions, and is searched once it is final.
          if ((event.nativeEvent as InputEvent).isComposing) offer(event.currentTarget.value, true);
          else applyText(false);
        }}
        onCompositionEnd={() => applyText(false)}
      />
      {isHydrated && (
        <SearchOptions
          options={options}
          activeIndex={activeIndex}
          onChoose={choose}
          onForget={({ text: search }) => forget(() => removeRecent(search))}
          onForgetAll={() => forget(clearRecent)}
          onLeave={leave}
        />
      )}
    </form>
  );
}
