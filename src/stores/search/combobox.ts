/** An option that the search box offers while typing. */
export interface Option {
  readonly kind: 'recent' | 'word' | 'artist' | 'sound';
  readonly text: string;
  /** The id of a sound. */
  readonly id?: string;
}

export interface ListState {
  readonly isOpen: boolean;
  /** The option that the keyboard is on; null while it is in the text. */
  readonly active: Option | null;
}

export const CLOSED: ListState = { isOpen: false, active: null };
const OPEN: ListState = { isOpen: true, active: null };

/** What a key does besides changing the list. */
export type Effect = 'choose' | 'forget' | 'clear';

export interface Press {
  readonly state: ListState;
  readonly effect?: Effect;
  /** Whether the browser must not act on the key as well. */
  readonly isHandled: boolean;
}

/** A pressed key. */
export type Key = Pick<
  KeyboardEvent,
  'key' | 'keyCode' | 'isComposing' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'
>;

/** Sent with a key that an input method handles, in Safari also with the Enter that ends a composition. */
const COMPOSING_CODE = 229;

/**
 * Acts on a key as the ARIA Authoring Practices describe for an editable combobox with a list. Keys of an input method
 * and with modifiers are left to them.
 */
export function pressKey({ isOpen, active }: ListState, options: readonly Option[], key: Key): Press {
  const state = { isOpen, active };
  const ignored = { state, isHandled: false };
  if (key.isComposing || key.keyCode === COMPOSING_CODE || key.ctrlKey || key.metaKey || key.shiftKey)
    return ignored;
  if (key.altKey) return pressWithAlt(state, key.key) ?? ignored;
  const isShown = isOpen && options.length > 0;
  const at = isShown ? findActive(state, options) : -1;
  switch (key.key) {
    case 'ArrowDown':
      return moveTo(options, at + 1);
    case 'ArrowUp':
      return moveTo(options, at === -1 ? options.length - 1 : at - 1);
    case 'Enter':
      return at === -1
        ? { state: CLOSED, isHandled: false }
        : { state: CLOSED, effect: 'choose', isHandled: true };
    case 'Escape':
      return isShown
        ? { state: CLOSED, isHandled: true }
        : { state: CLOSED, effect: 'clear', isHandled: true };
    case 'Delete':
      return options[at]?.kind === 'recent' ? { state: OPEN, effect: 'forget', isHandled: true } : ignored;
    case 'Home':
    case 'End':
    case 'ArrowLeft':
    case 'ArrowRight':
      // The browser moves the cursor in the text.
      return { state: { ...state, active: null }, isHandled: false };
    default:
      return ignored;
  }
}

/** The index of the active option; -1 if there is none. */
export function findActive({ active }: ListState, options: readonly Option[]): number {
  return options.findIndex(
    ({ kind, text, id }) => kind === active?.kind && text === active.text && id === active.id,
  );
}

function pressWithAlt(state: ListState, key: string): Press | undefined {
  if (key === 'ArrowDown') return { state: { ...state, isOpen: true }, isHandled: true };
  return key === 'ArrowUp' ? { state: CLOSED, isHandled: true } : undefined;
}

/** Wraps around at both ends. */
function moveTo(options: readonly Option[], index: number): Press {
  const active = options[(index + options.length) % options.length] ?? null;
  return { state: { isOpen: true, active }, isHandled: true };
}

export interface Found {
  readonly words: readonly string[];
  readonly artists: readonly string[];
  readonly sounds: readonly { readonly id: string; readonly title: string }[];
}

/** Recent searches that are listed beside completions. */
const RECENT_BESIDE_MAX = 2;

/** All options for a text: for none the recent searches, otherwise those that contain it, and its completions. */
export function listOptions(typed: string, recent: readonly string[], found: Found): readonly Option[] {
  const text = fold(typed);
  if (text === '') return recent.map((each) => ({ kind: 'recent', text: each }));
  const matching = recent
    .filter((each) => fold(each) !== text && fold(each).includes(text))
    .slice(0, RECENT_BESIDE_MAX);
  return [
    ...matching.map((each): Option => ({ kind: 'recent', text: each })),
    ...found.words
      .filter((word) => !matching.includes(word))
      .map((word): Option => ({ kind: 'word', text: word })),
    ...found.artists.map((name): Option => ({ kind: 'artist', text: name })),
    ...found.sounds.map(({ id, title }): Option => ({ kind: 'sound', text: title, id })),
  ];
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim();
}
