import { describe, expect, it } from 'vitest';
import type { Key, Option } from '#src/stores/search/combobox.ts';
import { CLOSED, listOptions, pressKey } from '#src/stores/search/combobox.ts';

const RECENT: Option = { kind: 'recent', text: '雨音' };
const WORD: Option = { kind: 'word', text: '雨' };
const SOUND: Option = { kind: 'sound', text: '雨', id: 's1' };
const OPTIONS = [RECENT, WORD, SOUND];
const OPEN = { isOpen: true, active: null };
const on = (active: Option) => ({ isOpen: true, active });

const UNHELD = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
const PLAIN: Omit<Key, 'key'> = { keyCode: 0, isComposing: false, ...UNHELD };
const key = (name: string, changes: Partial<Key> = {}): Key => ({ ...PLAIN, key: name, ...changes });

describe('a key in the search box', () => {
  it.each([
    ['ArrowDown', CLOSED, on(RECENT)],
    ['ArrowDown', OPEN, on(RECENT)],
    ['ArrowDown', on(RECENT), on(WORD)],
    ['ArrowDown', on(SOUND), on(RECENT)],
    ['ArrowUp', OPEN, on(SOUND)],
    ['ArrowUp', on(WORD), on(RECENT)],
    ['ArrowUp', on(RECENT), on(SOUND)],
  ] as const)('%s goes through the options, past an end to the other', (name, before, after) => {
    expect(pressKey(before, OPTIONS, key(name))).toEqual({ state: after, isHandled: true });
  });

  it.each(['Home', 'End', 'ArrowLeft', 'ArrowRight'])('%s returns to the text', (name) => {
    expect(pressKey(on(WORD), OPTIONS, key(name))).toEqual({ state: OPEN, isHandled: false });
  });

  it('Enter chooses the active option, and otherwise submits what is typed', () => {
    const done = { state: CLOSED, effect: 'choose', isHandled: true };
    expect(pressKey(on(WORD), OPTIONS, key('Enter'))).toEqual(done);
    expect(pressKey(OPEN, OPTIONS, key('Enter'))).toEqual({ state: CLOSED, isHandled: false });
    // The option has left the list since.
    expect(pressKey(on(WORD), [SOUND], key('Enter'))).toEqual({ state: CLOSED, isHandled: false });
    expect(pressKey({ isOpen: false, active: WORD }, OPTIONS, key('Enter')).isHandled).toBe(false);
  });

  it('Escape closes the list, and clears the text when none is shown', () => {
    const first = pressKey(on(WORD), OPTIONS, key('Escape'));
    expect(first).toEqual({ state: CLOSED, isHandled: true });
    expect(pressKey(first.state, OPTIONS, key('Escape')).effect).toBe('clear');
    expect(pressKey(OPEN, [], key('Escape')).effect).toBe('clear');
  });

  it('Delete forgets a recent search, and otherwise edits the text', () => {
    const done = { state: OPEN, effect: 'forget', isHandled: true };
    expect(pressKey(on(RECENT), OPTIONS, key('Delete'))).toEqual(done);
    expect(pressKey(on(WORD), OPTIONS, key('Delete')).isHandled).toBe(false);
    expect(pressKey(OPEN, OPTIONS, key('Delete')).isHandled).toBe(false);
  });

  it('Alt opens and closes without a choice', () => {
    const alt = { altKey: true };
    expect(pressKey(CLOSED, OPTIONS, key('ArrowDown', alt))).toEqual({ state: OPEN, isHandled: true });
    expect(pressKey(on(WORD), OPTIONS, key('ArrowUp', alt))).toEqual({ state: CLOSED, isHandled: true });
    expect(pressKey(on(WORD), OPTIONS, key('Enter', alt)).isHandled).toBe(false);
  });

  it.each([
    { isComposing: true },
    { keyCode: 229 },
    { ctrlKey: true },
    { metaKey: true },
    { shiftKey: true },
  ])('belongs to an input method or a modifier with %o', (changes) => {
    for (const name of ['Enter', 'Escape', 'ArrowDown', 'Delete', 'Home'])
      expect(pressKey(on(RECENT), OPTIONS, key(name, changes))).toEqual({
        state: on(RECENT),
        isHandled: false,
      });
  });
});

describe('the options of a text', () => {
  const FOUND = { words: ['雨', '雨音'], artists: ['雨宮'], sounds: [{ id: 's1', title: '雨の庭' }] };

  it('are all recent searches where nothing is typed', () => {
    expect(listOptions(' ', ['雨', 'Piano'], FOUND)).toEqual([
      { kind: 'recent', text: '雨' },
      { kind: 'recent', text: 'Piano' },
    ]);
  });

  it('are recent searches that contain it, then words, artists and sounds, each text once', () => {
    expect(listOptions('雨', ['雨', '雨音', '夜の雨', '雨傘', '海'], FOUND)).toEqual([
      { kind: 'recent', text: '雨音' },
      { kind: 'recent', text: '夜の雨' },
      { kind: 'word', text: '雨' },
      { kind: 'artist', text: '雨宮' },
      { kind: 'sound', text: '雨の庭', id: 's1' },
    ]);
  });

  it('ignore width and case', () => {
    expect(listOptions('ＰＩ', ['Piano'], { words: [], artists: [], sounds: [] })).toHaveLength(1);
  });
});
