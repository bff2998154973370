// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announce } from '../../support/capabilities.ts';
import { parseSoundFilters } from '../../../../src/lib/sound-filters.ts';

type Answer = { resolve(body: unknown): void; reject(status: number): void; url: URL };

let answers: Answer[];
let module: typeof import('../../../../src/stores/search/search.ts');
let stop: () => void;

const sound = (id: string) => ({ id, title: id });
const list = (ids: string[], next: number | null = null) => ({
  results: ids.map(sound),
  next,
  count: ids.length,
});
/** Waits for the modules that a search request loads on first use. */
const wait = async (ms = 0) => {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
};
const here = () => location.pathname + location.search;

function open(query = '') {
  history.replaceState({ index: 0 }, '', `/sounds${query}`);
  const filters = parseSoundFilters(new URLSearchParams(query));
  const browser = module.createSoundBrowser({
    filters,
    sounds: [sound('first')] as never,
    next: 2,
    count: 40,
    isCapped: false,
  });
  stop = browser.$listing.listen(() => {});
  return browser;
}

const type = (text: string, isFinal = false) => module.$search.set({ text, isFinal });

beforeEach(async () => {
  announce('sound-search', 'sounds-in-order', 'sounds-by-ai', 'sounds-by-sub-genre');
  vi.useFakeTimers();
  vi.resetModules();
  answers = [];
  vi.stubGlobal('fetch', (input: RequestInfo | URL) => {
    return new Promise<Response>((resolve) => {
      answers.push({
        url: new URL(String(input instanceof Request ? input.url : input), 'http://site.test'),
        resolve: (body) => resolve(Response.json(body)),
        reject: (status) => resolve(Response.json({ detail: 'no' }, { status })),
      });
    });
  });
  module = await import('../../../../src/stores/search/search.ts');
  await import('../../../../src/stores/search/results.ts');
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the listing of /sounds', () => {
  it('waits for typing to settle, then asks once and shows the answer under its URL', async () => {
    const browser = open();
    type('あ');
    await wait(100);
    type('雨');
    await wait(149);
    expect(answers).toHaveLength(0);
    await wait(6);
    expect(answers.map(({ url }) => url.searchParams.get('search'))).toEqual(['雨']);
    expect(browser.$state.get()).toEqual({ state: 'searching' });
    answers[0]!.resolve(list(['rain']));
    await wait();
    expect(browser.$listing.get()).toMatchObject({
      count: 1,
      filters: { search: '雨', ordering: 'relevance' },
    });
    expect(browser.$state.get()).toEqual({ state: 'ready' });
    expect(new URLSearchParams(location.search).get('search')).toBe('雨');
  });

  it('asks again for another member: the answer contains favourite states', async () => {
    const { rememberUser } = await import('../../../../src/stores/session/session.ts');
    const member = (id: string) => ({ id, username: id, email: `${id}@example.test`, profile_picture: null });
    rememberUser(member('u1'));
    open();
    type('雨', true);
    await wait();
    answers[0]!.resolve(list(['rain']));
    await wait();
    type('', true);
    await wait();
    answers[1]!.resolve(list(['first']));
    await wait();
    rememberUser(member('u2'));
    type('雨', true);
    await wait();
    expect(answers.map(({ url }) => url.searchParams.get('search'))).toEqual(['雨', null, '雨']);
  });

  it('does not wait after Enter', async () => {
    open();
    type('雨', true);
    await wait();
    expect(answers).toHaveLength(1);
  });

  it('returns to its own URL when the box is cleared before the answer', async () => {
    const browser = open();
    type('雨');
    await wait(155);
    expect(here()).toContain('search=');
    type('');
    await wait(155);
    expect(here()).toBe('/sounds');
    answers[0]!.resolve(list(['rain']));
    await wait();
    expect(browser.$listing.get().sounds.map(({ id }) => id)).toEqual(['first']);
    expect(browser.$state.get()).toEqual({ state: 'ready' });
  });

  it('returns to its own URL when a search failed and the box is cleared', async () => {
    const browser = open();
    type('雨');
    await wait(155);
    answers[0]!.reject(400);
    await wait();
    expect(browser.$state.get()).toMatchObject({ state: 'failed' });
    type('');
    await wait();
    expect(here()).toBe('/sounds');
    expect(browser.$state.get()).toEqual({ state: 'ready' });
  });

  it('retries a failed search on Enter', async () => {
    const browser = open();
    type('雨');
    await wait(155);
    answers[0]!.reject(400);
    await wait();
    type('雨', true);
    await wait();
    expect(answers).toHaveLength(2);
    answers[1]!.resolve(list(['rain']));
    await wait();
    expect(browser.$listing.get().sounds.map(({ id }) => id)).toEqual(['rain']);
  });

  it('asks again for a text whose search has just failed', async () => {
    const browser = open();
    type('雨');
    await wait(155);
    answers[0]!.reject(400);
    await wait();
    type('雨の');
    await wait(155);
    answers[1]!.resolve(list(['rainy']));
    await wait();
    type('雨');
    await wait(155);
    expect(browser.$state.get()).toEqual({ state: 'searching' });
    answers[2]!.resolve(list(['rain']));
    await wait();
    expect(browser.$listing.get().sounds.map(({ id }) => id)).toEqual(['rain']);
  });

  it('asks once when Enter follows a search in progress', async () => {
    open();
    type('雨');
    await wait(155);
    type('雨', true);
    await wait(155);
    expect(answers).toHaveLength(1);
  });

  it('appends the next page, without repeating a sound, and puts its length into the URL', async () => {
    const browser = open();
    void browser.showMore();
    void browser.showMore();
    await wait();
    expect(answers).toHaveLength(1);
    answers[0]!.resolve(list(['first', 'second'], 3));
    await wait();
    expect(browser.$listing.get().sounds.map(({ id }) => id)).toEqual(['first', 'second']);
    expect(browser.$listing.get().next).toBe(3);
    expect(here()).toBe('/sounds?to=2');
  });

  it('drops a page that arrives after a search has begun', async () => {
    const browser = open();
    void browser.showMore();
    await wait();
    type('雨', true);
    await wait();
    answers[0]!.resolve(list(['second'], 3));
    await wait();
    expect(browser.$state.get()).toEqual({ state: 'searching' });
    answers[1]!.resolve(list(['rain']));
    await wait();
    expect(browser.$listing.get().sounds.map(({ id }) => id)).toEqual(['rain']);
    expect(here()).not.toContain('to=');
  });

  it('keeps the list when more could not be loaded, and continues from there on retry', async () => {
    const browser = open('?search=雨');
    void browser.showMore();
    await wait();
    answers[0]!.reject(400);
    await wait();
    const state = browser.$state.get();
    expect(browser.$listing.get().sounds).toHaveLength(1);
    if (state.state !== 'failed') throw new Error('it did not fail');
    state.retry();
    await wait();
    expect(answers[1]!.url.searchParams.get('page')).toBe('2');
    answers[1]!.resolve(list(['second']));
    await wait();
    expect(browser.$listing.get().sounds.map(({ id }) => id)).toEqual(['first', 'second']);
  });

  it('keeps the trailing slash of the listing’s address', async () => {
    const browser = open();
    history.replaceState({ index: 0 }, '', '/sounds/');
    void browser.showMore();
    await wait();
    answers[0]!.resolve(list(['second'], 3));
    await wait();
    expect(here()).toBe('/sounds?to=2');
    history.replaceState({ index: 0 }, '', '/sounds/');
    type('雨', true);
    await wait();
    expect(new URLSearchParams(location.search).get('search')).toBe('雨');
  });

  it('does not change the address of another page', async () => {
    open();
    history.replaceState({ index: 3 }, '', '/sounds/first');
    type('雨', true);
    await wait();
    expect(here()).toBe('/sounds/first');
    expect(history.state).toEqual({ index: 3 });
  });
});

describe('history entries of a search', () => {
  /** The result of the pushes and replacements: one search text per entry since the listing was opened. */
  let entries: (string | null)[];
  const readSearch = (url: unknown) => new URL(String(url), location.origin).searchParams.get('search');

  beforeEach(() => {
    entries = [null];
    const { pushState, replaceState } = history;
    vi.spyOn(history, 'pushState').mockImplementation((...args) => {
      entries.push(readSearch(args[2]));
      pushState.apply(history, args);
    });
    vi.spyOn(history, 'replaceState').mockImplementation((...args) => {
      if (args[2]) entries.splice(-1, 1, readSearch(args[2]));
      replaceState.apply(history, args);
    });
  });
  afterEach(() => vi.restoreAllMocks());

  const answerAll = async () => {
    for (const answer of answers) answer.resolve(list(['rain']));
    await wait();
  };
  const typeAndWait = async (text: string, ms: number) => {
    type(text);
    await wait(ms);
    await answerAll();
  };

  it('are one for a word that is typed letter by letter', async () => {
    open();
    for (const text of ['r', 'ra', 'rai', 'ra', 'rain']) await typeAndWait(text, 300);
    expect(entries).toEqual([null, 'rain']);
  });

  it('are one for each search that ends with a pause', async () => {
    open();
    await typeAndWait('rain', 1100);
    await typeAndWait('rain f', 300);
    await typeAndWait('rain forest', 1100);
    await typeAndWait('', 1100);
    expect(entries).toEqual([null, 'rain', 'rain forest', null]);
  });

  it('are one for each search that ends with Enter, however soon the next one follows', async () => {
    open();
    await typeAndWait('ra', 200);
    type('rain', true);
    await wait();
    await answerAll();
    await typeAndWait('rainbow', 200);
    expect(entries).toEqual([null, 'rain', 'rainbow']);
  });

  it('are one for each word, even without a pause', async () => {
    open();
    await typeAndWait('rain', 200);
    await typeAndWait('snow', 200);
    expect(entries).toEqual([null, 'rain', 'snow']);
  });

  it('are one for a word from an input method, however long its composition takes', async () => {
    open();
    for (const text of ['せん', 'せんとう', '銭湯', '戦闘']) {
      module.$search.set({ text, isFinal: false, isComposing: true });
      await wait(1500);
      await answerAll();
    }
    await typeAndWait('戦闘', 200);
    expect(entries).toEqual([null, '戦闘']);
    await typeAndWait('戦闘', 1000);
    await typeAndWait('戦闘曲', 200);
    expect(entries).toEqual([null, '戦闘', '戦闘曲']);
  });

  it('are not added by Enter on the shown search, nor by retrying a failed search', async () => {
    open();
    type('rain', true);
    await wait();
    answers[0]!.reject(400);
    await wait(1100);
    type('rain', true);
    await wait();
    answers[1]!.resolve(list(['rain']));
    await wait();
    type('rain', true);
    await wait(1100);
    expect(entries).toEqual([null, 'rain']);
    type('snow', true);
    await wait();
    expect(entries).toEqual([null, 'rain', 'snow']);
  });

  it('do not repeat the list when a search is abandoned before its answer', async () => {
    open();
    type('r');
    await wait(200);
    type('');
    await wait(1100);
    await typeAndWait('snow', 1100);
    expect(entries).toEqual([null, 'snow']);
  });

  it('keep the place in the list from which the search box was focused', async () => {
    open();
    history.replaceState({ index: 4, scrollX: 0, scrollY: 1500 }, '');
    const { saveScrollPosition } = await import('../../../../src/stores/search/history.ts');
    saveScrollPosition();
    history.replaceState({ index: 4, scrollX: 0, scrollY: 0 }, '');
    const replaced = vi.mocked(history.replaceState).mock.calls;
    replaced.length = 0;
    type('rain', true);
    await wait();
    expect(replaced[0]![0]).toMatchObject({ index: 4, scrollY: 1500 });
    expect(history.state).toMatchObject({ index: 5, scrollY: 0 });
  });

  it('are not written by a search in progress when the visitor goes back', async () => {
    const browser = open();
    type('rain');
    await wait(100);
    history.replaceState({ index: 0 }, '', '/sounds?search=before');
    dispatchEvent(new PopStateEvent('popstate', { state: { index: 0 } }));
    await wait(500);
    expect(answers).toHaveLength(0);
    void browser.showMore();
    await wait();
    dispatchEvent(new PopStateEvent('popstate', { state: { index: 0 } }));
    answers[0]!.resolve(list(['second'], 3));
    await wait();
    expect(here()).toBe('/sounds?search=before');
    expect(browser.$state.get()).toEqual({ state: 'ready' });
  });

  it('belong to the next page as soon as the router has swapped it in', async () => {
    open();
    type('ra', true);
    await wait();
    document.dispatchEvent(new Event('astro:before-swap'));
    type('rain', true);
    await wait();
    expect(answers).toHaveLength(1);
    expect(entries).toEqual([null, 'ra']);
  });
});

describe('a slow search', () => {
  const delay = (browser: ReturnType<typeof open>) => {
    const state = browser.$state.get();
    return 'delay' in state ? state.delay : undefined;
  };

  it('says so after two seconds without an answer', async () => {
    const browser = open();
    type('雨', true);
    await wait(1990);
    expect(delay(browser)).toBeUndefined();
    await wait(10);
    expect(delay(browser)?.reason).toBe('slow');
    answers[0]!.resolve(list(['rain']));
    await wait();
    expect(browser.$state.get()).toEqual({ state: 'ready' });
  });

  it('says that it is retrying as soon as one attempt has failed, until the answer', async () => {
    const browser = open();
    type('雨', true);
    await wait();
    answers[0]!.reject(503);
    await wait(10);
    expect(delay(browser)?.reason).toBe('retrying');
    await wait(2500);
    expect(answers).toHaveLength(2);
    expect(delay(browser)?.reason).toBe('retrying');
    answers[1]!.resolve(list(['rain']));
    await wait();
    expect(browser.$state.get()).toEqual({ state: 'ready' });
  });

  it('is repeated at once on request, and the previous attempt is ignored', async () => {
    const browser = open();
    type('雨', true);
    await wait();
    answers[0]!.reject(503);
    await wait(10);
    delay(browser)!.retry();
    await wait();
    expect(answers).toHaveLength(2);
    expect(browser.$state.get()).toEqual({ state: 'searching' });
    answers[1]!.resolve(list(['rain']));
    await wait(5000);
    expect(browser.$listing.get().sounds.map(({ id }) => id)).toEqual(['rain']);
    expect(browser.$state.get()).toEqual({ state: 'ready' });
  });

  it('does not show the waiting message of an older search', async () => {
    const browser = open();
    type('雨', true);
    await wait();
    type('雪', true);
    await wait();
    answers[0]!.reject(503);
    await wait(10);
    expect(browser.$state.get()).toEqual({ state: 'searching' });
  });

  it('shows the same for もっと見る, and where it failed', async () => {
    const browser = open();
    void browser.showMore();
    await wait();
    answers[0]!.reject(503);
    await wait(10);
    expect(browser.$state.get()).toMatchObject({ state: 'loading-more', delay: { reason: 'retrying' } });
    for (const attempt of [1, 2, 3]) {
      await wait(4000);
      answers[attempt]!.reject(503);
    }
    await wait(10);
    expect(browser.$state.get()).toMatchObject({ state: 'failed', during: 'loading-more' });
    expect(browser.$listing.get().sounds).toHaveLength(1);
  });
});
