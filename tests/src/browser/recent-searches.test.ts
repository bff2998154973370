// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  RECENT_MAX,
  addRecentSearch,
  clearRecentSearches,
  readRecentSearches,
  removeRecentSearch,
} from '#src/browser/recent-searches.ts';

const KEY = 'search:recent';

beforeEach(() => localStorage.clear());
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(window, 'early');
});

describe('recent searches', () => {
  it('are the last eight, newest first, each once', () => {
    for (let index = 1; index <= RECENT_MAX + 2; index += 1) addRecentSearch('', `雨 ${index}`);
    addRecentSearch('', ' 雨 5 ');
    addRecentSearch('', ' ');
    expect(readRecentSearches('')).toEqual([5, 10, 9, 8, 7, 6, 4, 3].map((index) => `雨 ${index}`));
  });

  it('can be removed one by one and all together, and then leave nothing behind', () => {
    addRecentSearch('', '雨');
    addRecentSearch('', '海');
    removeRecentSearch('', '海');
    expect(readRecentSearches('')).toEqual(['雨']);
    removeRecentSearch('', '雨');
    expect(localStorage.getItem(KEY)).toBeNull();
    addRecentSearch('', '雨');
    clearRecentSearches();
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  it('of a visitor go on for the member, and those of a member are deleted for anybody else', () => {
    addRecentSearch('', '雨');
    addRecentSearch('u1', '海');
    expect(readRecentSearches('u1')).toEqual(['海', '雨']);
    expect(readRecentSearches('u2')).toEqual([]);
    expect(localStorage.getItem(KEY)).toBeNull();
    addRecentSearch('u1', '海');
    expect(readRecentSearches('')).toEqual([]);
    expect(localStorage.getItem(KEY)).toBeNull();
  });

  it.each(['', '{', 'null', '[]', '{"owner":1,"texts":["雨"]}', '{"owner":"","texts":"雨"}'])(
    'are none in %j',
    (stored) => {
      localStorage.setItem(KEY, stored);
      expect(readRecentSearches('')).toEqual([]);
    },
  );

  it('are bounded and texts, whatever is stored', () => {
    localStorage.setItem(KEY, JSON.stringify({ owner: '', texts: [1, ...'あいうえおかきくけこ'] }));
    expect(readRecentSearches('')).toEqual([...'あいうえおかきく']);
  });

  it('are not stored where storage is full or denied, without an error', () => {
    const setItem = vi.fn(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.stubGlobal('localStorage', { getItem: () => null, setItem });
    addRecentSearch('', '雨');
    expect(setItem).toHaveBeenCalledOnce();
    vi.unstubAllGlobals();
    Reflect.set(window, 'early', { isStorageOff: true });
    addRecentSearch('', '雨');
    expect(localStorage.getItem(KEY)).toBeNull();
  });
});
