// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MEMBER, setExtended, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

interface Call {
  readonly url: URL;
  readonly signal: AbortSignal | null | undefined;
  answer(body: unknown, status?: number): void;
  fail(): void;
}

let calls: Call[];
let navigations: string[];
let favorites: typeof import('#src/stores/favorites/favorites.ts');
let session: typeof import('#src/stores/session/session.ts');

const wait = async (ms = 0) => {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
};
const heart = (id: string) => favorites.$favorites.get()[id];
const toggles = () => calls.filter(({ url }) => url.pathname.endsWith('/toggle-favorite'));
const toasts = () => showToast.mock.calls.map(([kind, message]) => `${kind}: ${message}`);
const load = async () => {
  favorites.loadFavorites();
  await wait(40);
};
const press = async () => {
  favorites.toggleFavorite('a');
  await wait();
};
const answer = async (call: Call | undefined, body: unknown, status?: number) => {
  call!.answer(body, status);
  await wait();
};
const confirm = (index: number, is_favorited: boolean) => answer(toggles()[index], { is_favorited });
const applyPending = async () => {
  favorites.applyPendingFavorite();
  await wait();
};
/** A message from another tab. */
const otherTab = () => new BroadcastChannel('favorites');

useStores({ isExtended: true, clock: { toFake: ['setTimeout', 'clearTimeout'] } });
beforeEach(async () => {
  vi.resetModules();
  calls = [];
  vi.stubGlobal('fetch', (input: RequestInfo | URL, init?: RequestInit) => {
    return new Promise<Response>((resolve, reject) => {
      calls.push({
        url: new URL(String(input), 'http://site.test'),
        signal: init?.signal,
        answer: (body, status = 200) => resolve(Response.json(body, { status })),
        fail: () => reject(new TypeError('Failed to fetch')),
      });
    });
  });
  localStorage.setItem('token', 'access');
  session = await import('#src/stores/session/session.ts');
  session.rememberUser(MEMBER);
  document.documentElement.dataset['member'] = '';
  document.body.innerHTML = ['a', 'b', 'c'].map((id) => `<article data-sound="${id}"></article>`).join('');
  favorites = await import('#src/stores/favorites/favorites.ts');
  ({ navigations } = await import('../../support/router.ts'));
  await import('#src/stores/favorites/actions.ts');
});

describe('the hearts of a page', () => {
  it('are asked for neither after a log-out nor across it', async () => {
    favorites.loadFavorites();
    await wait(10);
    session.forgetSession();
    await wait(40);
    expect(calls).toHaveLength(0);
    session.rememberUser(MEMBER);
    await load();
    expect(calls[0]!.signal?.aborted).toBe(false);
    session.forgetSession();
    expect(calls[0]!.signal?.aborted).toBe(true);
  });

  it('ignore an answer that arrives after another member has logged in', async () => {
    await load();
    session.rememberUser({ id: '2', username: 'you', email: 'you@example.test', profile_picture: null });
    await answer(calls[0], { results: [{ id: 'b' }], next: null });
    expect(favorites.$favorites.get()).toEqual({});
  });

  it('load with one call, however many lists ask', async () => {
    favorites.loadFavorites();
    await load();
    await load();
    expect(calls).toHaveLength(1);
    const { searchParams } = calls[0]!.url;
    expect(searchParams.get('favorite')).toBe('true');
    expect(searchParams.getAll('ids')).toEqual(['a', 'b', 'c']);
    await answer(calls[0], { results: [{ id: 'b' }], next: null });
    expect(favorites.$favorites.get()).toEqual({ a: false, b: true, c: false });
    await load();
    expect(calls).toHaveLength(1);
  });

  it('are requested again after a failed call, without a message', async () => {
    await load();
    await answer(calls[0], { detail: 'no' }, 403);
    expect(toasts()).toEqual([]);
    await load();
    expect(calls).toHaveLength(2);
  });

  it('are not requested for a visitor', async () => {
    delete document.documentElement.dataset['member'];
    await load();
    expect(calls).toHaveLength(0);
  });

  it('keep a press that was made while the answer was pending', async () => {
    await load();
    await press();
    await confirm(0, true);
    await answer(calls[0], { results: [], next: null });
    expect(heart('a')).toBe(true);
    expect(heart('b')).toBe(false);
  });
});

describe('the hearts of a host that cannot find sounds by id', () => {
  beforeEach(() => setExtended(false));
  const page = (from: number, next: unknown) => ({
    results: Array.from({ length: 2 }, (_, index) => ({ id: `x${from + index}` })),
    next,
  });

  it('are collected from every page of the favourites, with only the query names of spec §7', async () => {
    await load();
    await answer(calls[0], page(0, 'http://host.test/api/sounds/?favorite=true&page=2'));
    await answer(calls[1], { results: [{ id: 'b' }], next: null });
    expect(favorites.$favorites.get()).toEqual({ a: false, b: true, c: false });
    expect(calls.map(({ url }) => url.search)).toEqual([
      '?favorite=true&page_size=100',
      '?favorite=true&page_size=100&page=2',
    ]);
  });

  it('are cached for a while, across pages', async () => {
    await load();
    await answer(calls[0], { results: [{ id: 'd' }], next: null });
    document.body.innerHTML += '<article data-sound="d"></article>';
    await load();
    expect(heart('d')).toBe(true);
    expect(calls).toHaveLength(1);
  });

  it('stay unknown beyond the pages that are read', async () => {
    await load();
    for (let asked = 0; asked < calls.length; asked += 1) {
      await answer(calls[asked], page(asked * 2, asked + 2));
    }
    expect(calls).toHaveLength(20);
    expect(heart('a')).toBeUndefined();
  });

  it('a press on an unknown favourite does not remove it', async () => {
    await press();
    expect(heart('a')).toBe(true);
    await answer(calls[0], { results: [{ id: 'a' }], next: null });
    expect(toggles()).toEqual([]);
    expect(heart('a')).toBe(true);
  });

  it('a press counts as successful where the reply has no body', async () => {
    favorites.storeFavorites([{ id: 'a', is_favorited: true }]);
    await press();
    await answer(toggles()[0], '');
    expect(heart('a')).toBe(false);
    expect(toggles()).toHaveLength(1);
  });

  it('a reply without the favourite state changes no heart', () => {
    favorites.storeFavorites([{ id: 'a', is_favorited: true }]);
    favorites.storeFavorites([{ id: 'a', is_favorited: undefined }]);
    expect(heart('a')).toBe(true);
  });
});

describe('a press on a heart', () => {
  it('sends a visitor to log-in, and back to the same place', async () => {
    delete document.documentElement.dataset['member'];
    history.replaceState(null, '', '/sounds?search=%E9%9B%A8&to=3');
    favorites.toggleFavorite('a');
    await vi.dynamicImportSettled();
    expect(navigations).toEqual([`/login?redirect=${encodeURIComponent('/sounds?search=%E9%9B%A8&to=3')}`]);
    expect(calls).toHaveLength(0);
  });

  describe('before logging in', () => {
    const place = '/sounds?search=x';
    const pressAsVisitor = (id: string) => {
      delete document.documentElement.dataset['member'];
      history.replaceState(null, '', place);
      favorites.toggleFavorite(id);
      document.documentElement.dataset['member'] = '';
    };

    it('is applied after it, once, with a message', async () => {
      pressAsVisitor('a');
      await applyPending();
      expect(heart('a')).toBe(true);
      expect(toasts()).toEqual(['blank: お気に入りに追加しました']);
      await confirm(0, true);
      await applyPending();
      expect(toggles()).toHaveLength(1);
    });

    it('does not remove an existing favourite', async () => {
      pressAsVisitor('a');
      await applyPending();
      await confirm(0, false);
      await confirm(1, true);
      expect(heart('a')).toBe(true);
      favorites.storeFavorites([{ id: 'b', is_favorited: true }]);
      pressAsVisitor('b');
      await applyPending();
      expect(toggles()).toHaveLength(2);
    });

    it.each([
      ['elsewhere', '/sounds', 0],
      ['after a quarter of an hour', place, 15 * 60_000],
    ])('expires %s', async (_, at, passedMs) => {
      vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
      pressAsVisitor('a');
      vi.setSystemTime(Date.now() + passedMs);
      history.replaceState(null, '', at);
      favorites.applyPendingFavorite();
      history.replaceState(null, '', place);
      await applyPending();
      expect(toggles()).toHaveLength(0);
    });

    it('waits for a member on the page, and survives a reload', async () => {
      pressAsVisitor('a');
      history.replaceState(null, '', '/login?redirect=x');
      favorites.applyPendingFavorite();
      history.replaceState(null, '', place);
      delete document.documentElement.dataset['member'];
      favorites.applyPendingFavorite();
      document.documentElement.dataset['member'] = '';
      vi.resetModules();
      const reloaded = await import('#src/stores/favorites/favorites.ts');
      reloaded.applyPendingFavorite();
      await wait();
      expect(toggles()).toHaveLength(1);
    });

    it('cannot be triggered by an address or by invalid storage', async () => {
      history.replaceState(null, '', '/sounds?favorite=a&wish=a');
      for (const nonsense of ['{', '[]', '"a"', '{"id":1}', '{"id":"a","place":"/sounds"}']) {
        sessionStorage.setItem('favorite:wish', nonsense);
        favorites.applyPendingFavorite();
      }
      await wait();
      expect(toggles()).toHaveLength(0);
    });
  });

  it('is reverted with the reason when the host refuses', async () => {
    await press();
    await answer(toggles()[0], { detail: '操作の回数が多すぎます。' }, 429);
    expect(heart('a')).toBeUndefined();
    expect(toasts()).toEqual(['error: 操作の回数が多すぎます。']);
  });

  it('is reverted when the host is unreachable', async () => {
    favorites.storeFavorites([{ id: 'a', is_favorited: true }]);
    await press();
    expect(heart('a')).toBe(false);
    toggles()[0]!.fail();
    await wait();
    expect(heart('a')).toBe(true);
    expect(toasts()).toHaveLength(1);
  });

  it('twice in a row ends in the initial state, with one change sent at a time', async () => {
    favorites.toggleFavorite('a');
    await press();
    expect(heart('a')).toBe(false);
    expect(toggles()).toHaveLength(1);
    await confirm(0, true);
    expect(toggles()).toHaveLength(2);
    await confirm(1, false);
    expect(heart('a')).toBe(false);
    expect(toggles()).toHaveLength(2);
  });

  it('three times in a row is one favourite, which shows at once and stays', async () => {
    for (let count = 0; count < 3; count += 1) favorites.toggleFavorite('a');
    await wait();
    expect(heart('a')).toBe(true);
    await answer(toggles()[0], { is_favorited: true, favorite_count: 1 });
    expect(heart('a')).toBe(true);
    expect(toggles()).toHaveLength(1);
  });

  it('reaches the wanted state where another tab had changed it before', async () => {
    // This tab shows an empty heart, but the sound is a favourite by now: toggling removes it.
    await press();
    await confirm(0, false);
    expect(toggles()).toHaveLength(2);
    await confirm(1, true);
    expect(heart('a')).toBe(true);
  });

  it('assumes the requested state where the reply has none', async () => {
    await press();
    await answer(toggles()[0], {});
    expect(heart('a')).toBe(true);
    await press();
    await answer(toggles()[1], null);
    expect(heart('a')).toBe(false);
    expect(toggles()).toHaveLength(2);
  });

  it('does not loop with a host that never reaches the wanted state', async () => {
    await press();
    for (let answered = 0; answered < calls.length && answered < 20; answered += 1) {
      await answer(calls[answered], { is_favorited: false });
    }
    expect(toggles().length).toBeLessThan(6);
    expect(heart('a')).toBe(false);
  });

  it.each([
    ['an extended host', true, 'a'],
    ['a host that has to be asked first', false, 'a'],
    ['a heart that is known', true, 'b'],
  ])('that fails says nothing to the other tabs: %s', async (_, isHostExtended, id) => {
    setExtended(isHostExtended);
    favorites.storeFavorites([{ id: 'b', is_favorited: true }]);
    const heard: unknown[] = [];
    const tab = otherTab();
    tab.addEventListener('message', ({ data }) => heard.push(data));
    favorites.toggleFavorite(id);
    await wait();
    await answer(calls[0], { detail: 'no' }, 403);
    expect(toasts()).toHaveLength(1);
    expect(heart(id)).toBe(id === 'b' ? true : undefined);
    // Messages arrive in their order.
    favorites.toggleFavorite('c');
    await wait();
    setExtended(true);
    await answer(calls.at(-1), isHostExtended ? { is_favorited: true } : { results: [], next: null });
    if (!isHostExtended) await confirm(0, true);
    await vi.waitFor(() => expect(heard).toEqual([{ id: 'c', isFavorited: true }]));
    // The heart is asked for again with the page.
    await load();
    expect(calls.at(-1)!.url.searchParams.getAll('ids').includes('a')).toBe(true);
    tab.close();
  });

  it('shows in the other tabs', async () => {
    const heard: unknown[] = [];
    const tab = otherTab();
    tab.addEventListener('message', ({ data }) => heard.push(data));
    await press();
    await confirm(0, true);
    await vi.waitFor(() => expect(heard).toEqual([{ id: 'a', isFavorited: true }]));
    favorites.toggleFavorite('c');
    tab.postMessage({ id: 'c', isFavorited: false });
    tab.postMessage({ id: 'b', isFavorited: true });
    await vi.waitFor(() => expect(heart('b')).toBe(true));
    // Its own change is under way.
    expect(heart('c')).toBe(true);
    tab.close();
  });
});

it('clears the favourites of a member after log-out, also when a press is answered later', async () => {
  favorites.storeFavorites([{ id: 'b', is_favorited: true }]);
  await press();
  session.forgetSession();
  expect(favorites.$favorites.get()).toEqual({});
  await confirm(0, true);
  expect(favorites.$favorites.get()).toEqual({});
});
