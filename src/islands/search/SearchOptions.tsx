import { type FocusEventHandler, useEffect, useRef } from 'react';
import { adoptStyles } from '../../browser/adopt-styles.ts';
import type { IconName } from '../../lib/icons.ts';
import type { Option } from '../../stores/search/search.ts';
import styles from '../../styles/search.css?inline';
import { Icon } from '../ui/Icon.tsx';

export const LIST_ID = 'search-options';
export const toOptionId = (index: number) => `search-option-${index}`;

const GROUPS: Readonly<Record<Option['kind'], { readonly name: string; readonly icon: IconName }>> = {
  recent: { name: '最近の検索', icon: 'clock' },
  word: { name: 'キーワード', icon: 'search' },
  artist: { name: 'アーティスト', icon: 'person' },
  sound: { name: 'サウンド', icon: 'play' },
};

export interface SearchOptionsProps {
  readonly options: readonly Option[];
  /** -1: none. */
  readonly activeIndex: number;
  readonly onChoose: (option: Option) => void;
  readonly onForget: (option: Option) => void;
  readonly onForgetAll: () => void;
  /** The focus leaves the only button that can have it. */
  readonly onLeave: FocusEventHandler;
}

/** The list under the search box. An option cannot contain a button, so those are beside the list. */
export function SearchOptions({ options, activeIndex, ...on }: SearchOptionsProps) {
  const kinds = (Object.keys(GROUPS) as Option['kind'][]).filter((kind) =>
    options.some((option) => option.kind === kind),
  );
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    adoptStyles(styles);
    // A press must not take the focus from the text.
    const keepFocus = (event: Event) => event.preventDefault();
    const element = popup.current;
    element?.addEventListener('mousedown', keepFocus);
    return () => element?.removeEventListener('mousedown', keepFocus);
  }, []);
  const recent = options.filter(({ kind }) => kind === 'recent');
  return (
    <div ref={popup} className="panel search-popup" hidden={options.length === 0}>
      <div id={LIST_ID} role="listbox" aria-label="検索の候補">
        {kinds.map((kind) => (
          <div key={kind} role="group" aria-labelledby={`${LIST_ID}-${kind}`}>
            <div id={`${LIST_ID}-${kind}`} className="search-group" role="presentation">
              {GROUPS[kind].name}
            </div>
            {options.map(
              (option, index) =>
                option.kind === kind && (
                  // Keys belong to the text, which keeps the focus.
                  <button
                    type="button"
                    tabIndex={-1}
                    key={option.id ?? option.text}
                    id={toOptionId(index)}
                    role="option"
                    className="search-option"
                    aria-selected={index === activeIndex}
                    onClick={() => on.onChoose(option)}
                  >
                    <Icon name={GROUPS[kind].icon} className="size-4 flex-none text-muted" />
                    <span className="truncate">{option.text}</span>
                  </button>
                ),
            )}
          </div>
        ))}
      </div>
      {recent.length > 0 && (
        <div className="search-forget">
          <button type="button" className="search-forget-all" onClick={on.onForgetAll} onBlur={on.onLeave}>
            すべて消す
          </button>
          {recent.map((option) => (
            <button
              key={option.text}
              type="button"
              className="icon-button"
              tabIndex={-1}
              aria-label={`「${option.text}」を履歴から消す`}
              onClick={() => on.onForget(option)}
            >
              <Icon name="close" className="size-4" />
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
