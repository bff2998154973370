// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SoundFilters, parseSoundFilters, toSoundsUrl } from '#src/lib/sound-filters.ts';
import { useStores } from '../../support/stores.ts';

interface Reply {
  readonly ids: readonly string[];
  readonly next: number | null;
}

type Answer = {
  resolve(reply: Reply): void;
  reject(status: number): void;
  respond(body: string | null, init?: ResponseInit): void;
  url: URL;
};

let answers: Answer[];
let module: typeof import('#src/stores/search/search.ts');
let listing: typeof import('#src/scripts/catalogue/listing.ts');

const list = (ids: readonly string[], next: number | null = null): Reply => ({ ids, next });

/** A fragment of the page server. */
function toHtml(params: URLSearchParams, { ids, next }: Reply): string {
  const filters = parseSoundFilters(params);
  const url = (change: Partial<SoundFilters> = {}) => toSoundsUrl({ ...filters, ...change });
  const cards = ids.map((id) => `<li><article data-sound="${id}"></article></li>`).join('');
  const more = next && `<a id="more" data-island="more" href="${url({ lastPage: next })}">もっと見る</a>`;
  return `<div id="listing" data-url="${url()}">
    <section id="results">
      <p id="result-count" data-part role="status">「${filters.search}」の検索結果</p>
      <div id="searching"><div role="status"></div></div>
      <div id="cards" data-part><ul class="sound-grid">${cards}</ul></div>
      <p id="shown-count" data-part></p>
      <div id="loading-more"><div role="status"></div></div>
      <div id="pages" data-part>${more ?? ''}</div>
    </section></div>`;
}

/** Waits for the modules that a search request loads on first use. */
const wait = async (ms = 0) => {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
};
const here = () => location.pathname + location.search;
const state = () => module.$listingState.get();
const ids = () =>
  [...document.querySelectorAll<HTMLElement>('[data-sound]')].map((card) => card.dataset['sound']);
const shown = () => document.getElementById('listing')?.dataset['url'];

function open(query = '') {
  history.replaceState({ index: 0 }, '', `/sounds${query}`);
  document.body.innerHTML = `<input id="search">${toHtml(new URLSearchParams(query), list(['first'], 2))}`;
}

/** As `islands.ts` does with the first press. */
function pressMore(): void {
  const link = document.getElementById('more')!;
  if (link.dataset['live'] === undefined) void listing.hydrate(link);
  link.click();
}

const type = (text: string, isFinal = false) => module.$search.set({ text, isFinal });

const enter = async (text: string) => {
  type(text, true);
  await wait();
};
/** Types, and waits until typing has settled. */
const pauseAfter = async (text: string) => {
  type(text);
  await wait(155);
};
const more = async () => {
  pressMore();
  await wait();
};
const answer = async (index: number, ids: readonly string[], next: number | null = null) => {
  answers[index]!.resolve({ ids, next });
  await wait();
};
const refuse = async (index: number, status: number, ms = 0) => {
  answers[index]!.reject(status);
  await wait(ms);
};

useStores({ clock: true });
beforeEach(async () => {
  vi.resetModules();
  answers = [];
  vi.stubGlobal('fetch', (input: RequestInfo | URL) => {
    const url = new URL(String(input instanceof Request ? input.url : input), 'http://site.test');
    return new Promise<Response>((resolve) => {
      answers.push({
        url,
        resolve: (reply) => resolve(new Response(toHtml(url.searchParams, reply))),
        reject: (status) => resolve(new Response('no', { status })),
        respond: (body, init) => resolve(new Response(body, init)),
      });
    });
  });
  module = await import('#src/stores/search/search.ts');
  listing = await import('#src/scripts/catalogue/listing.ts');
  open();
});

afterEach(() => void document.dispatchEvent(new Event('astro:before-swap')));

describe('the listing of /sounds', () => {
  it('waits for typing to settle, then asks once and shows the answer under its URL', async () => {
    type('あ');
    await wait(100);
    type('雨');
    await wait(149);
    expect(answers).toHaveLength(0);
    await wait(6);
    expect(answers.map(({ url }) => url.searchParams.get('search'))).toEqual(['雨']);
    expect(state()).toEqual({ state: 'searching' });
    await answer(0, ['rain']);
    expect(shown()).toBe('/sounds?search=%E9%9B%A8');
    expect(state()).toEqual({ state: 'ready' });
    expect(new URLSearchParams(location.search).get('search')).toBe('雨');
  });

  it('tells screen readers how much was found after a pause in typing only', async () => {
    const place = document.getElementById('result-count')!;
    const told: string[] = [];
    new MutationObserver(() => {
      if (place.ariaLive !== 'off') told.push(place.textContent ?? '');
    }).observe(place, { childList: true });
    await pauseAfter('ra');
    await answer(0, ['ra']);
    await wait(500);
    await pauseAfter('rain');
    await answer(1, ['rain']);
    await wait(900);
    expect([told, place.textContent]).toEqual([[], '「rain」の検索結果']);
    await wait(200);
    expect(told).toEqual(['「rain」の検索結果']);
  });

  it('returns to its own URL when the box is cleared before the answer', async () => {
    await pauseAfter('雨');
    expect(here()).toContain('search=');
    await pauseAfter('');
    expect(here()).toBe('/sounds');
    await answer(0, ['rain']);
    expect(ids()).toEqual(['first']);
    expect(state()).toEqual({ state: 'ready' });
  });

  it('returns to its own URL when a search failed and the box is cleared', async () => {
    await pauseAfter('雨');
    await refuse(0, 400);
    expect(state()).toMatchObject({ state: 'failed' });
    type('');
    await wait();
    expect(here()).toBe('/sounds');
    expect(state()).toEqual({ state: 'ready' });
  });

  it('retries a failed search on Enter, and asks again for its text after another one', async () => {
    await pauseAfter('雨');
    await refuse(0, 400);
    await enter('雨');
    await refuse(1, 400);
    await pauseAfter('雨の');
    await answer(2, ['rainy']);
    await pauseAfter('雨');
    expect(state()).toEqual({ state: 'searching' });
    await answer(3, ['rain']);
    expect(ids()).toEqual(['rain']);
  });

  it('asks once when Enter follows a search in progress', async () => {
    await pauseAfter('雨');
    type('雨', true);
    await wait(155);
    expect(answers).toHaveLength(1);
  });

  it('appends the next page, without repeating a sound, and puts its length into the URL', async () => {
    pressMore();
    await more();
    expect(answers).toHaveLength(1);
    await answer(0, ['first', 'second'], 3);
    expect(ids()).toEqual(['first', 'second']);
    expect(document.getElementById('more')?.getAttribute('href')).toBe('/sounds?to=3');
    expect(document.getElementById('shown-count')?.textContent).toBe('2件を表示しています');
    expect(here()).toBe('/sounds?to=2');
  });

  it('drops a page that arrives after a search has begun', async () => {
    await more();
    await enter('雨');
    await answer(0, ['second'], 3);
    expect(state()).toEqual({ state: 'searching' });
    await answer(1, ['rain']);
    expect(ids()).toEqual(['rain']);
    expect(here()).not.toContain('to=');
  });

  it('keeps the list when more could not be loaded, and continues from there on retry', async () => {
    open('?search=雨');
    await more();
    await refuse(0, 400);
    const failed = state();
    expect(ids()).toHaveLength(1);
    if (failed.state !== 'failed') throw new Error('it did not fail');
    failed.retry();
    await wait();
    expect(answers[1]!.url.search).toBe('?search=%E9%9B%A8&to=2&more=1');
    await answer(1, ['second']);
    expect(ids()).toEqual(['first', 'second']);
  });

  describe.each<[what: string, body: string | null, init?: ResponseInit]>([
    ['the log-in page of a network', '<!doctype html><title>Wi-Fi</title><form></form>'],
    ['nothing', null, { status: 204 }],
    ['an empty text', ''],
    ['the text "null"', 'null'],
    ['a listing that is cut off', '<div id="listing" data-url="/sounds?search=x"><section id="res'],
  ])('that is answered with %s', (_, body, init) => {
    it('says so, and finds the sounds on retry', async () => {
      await enter('雨');
      answers[0]!.respond(body, init);
      await wait();
      const failed = state();
      expect(failed).toMatchObject({ state: 'failed', during: 'searching' });
      expect(document.querySelector('#searching [role=alert]')?.textContent).toContain('もう一度試す');
      if (failed.state === 'failed') failed.retry();
      await wait();
      await answer(1, ['rain']);
      expect(ids()).toEqual(['rain']);
      expect(document.querySelector('[role=alert]')).toBeNull();
    });

    it('says so at もっと見る, and keeps its link', async () => {
      await more();
      answers[0]!.respond(body, init);
      await wait();
      expect(state()).toMatchObject({ state: 'failed', during: 'loading-more' });
      expect(ids()).toEqual(['first']);
      expect(here()).toBe('/sounds');
      expect(document.getElementById('more')?.getAttribute('href')).toBe('/sounds?to=2');
    });
  });

  it('keeps the trailing slash of the listing’s address', async () => {
    history.replaceState({ index: 0 }, '', '/sounds/');
    await more();
    await answer(0, ['second'], 3);
    expect(here()).toBe('/sounds?to=2');
    history.replaceState({ index: 0 }, '', '/sounds/');
    await enter('雨');
    expect(new URLSearchParams(location.search).get('search')).toBe('雨');
  });

  it('does not change the address of another page', async () => {
    history.replaceState({ index: 3 }, '', '/sounds/first');
    await enter('雨');
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
    for (const text of ['r', 'ra', 'rai', 'ra', 'rain']) await typeAndWait(text, 300);
    expect(entries).toEqual([null, 'rain']);
  });

  it('are one for each search that ends with a pause', async () => {
    await typeAndWait('rain', 1100);
    await typeAndWait('rain f', 300);
    await typeAndWait('rain forest', 1100);
    await typeAndWait('', 1100);
    expect(entries).toEqual([null, 'rain', 'rain forest', null]);
  });

  it('are one for each search that ends with Enter, however soon the next one follows', async () => {
    await typeAndWait('ra', 200);
    await enter('rain');
    await answerAll();
    await typeAndWait('rainbow', 200);
    expect(entries).toEqual([null, 'rain', 'rainbow']);
  });

  it('are one for each word, even without a pause', async () => {
    await typeAndWait('rain', 200);
    await typeAndWait('snow', 200);
    expect(entries).toEqual([null, 'rain', 'snow']);
  });

  it('are not added by Enter on the shown search, nor by retrying a failed search', async () => {
    await enter('rain');
    await refuse(0, 400, 1100);
    await enter('rain');
    await answer(1, ['rain']);
    type('rain', true);
    await wait(1100);
    expect(entries).toEqual([null, 'rain']);
    await enter('snow');
    expect(entries).toEqual([null, 'rain', 'snow']);
  });

  it('do not repeat the list when a search is abandoned before its answer', async () => {
    type('r');
    await wait(200);
    type('');
    await wait(1100);
    await typeAndWait('snow', 1100);
    expect(entries).toEqual([null, 'snow']);
  });

  it('keep the place in the list from which the search box was focused', async () => {
    history.replaceState({ index: 4, scrollX: 0, scrollY: 1500 }, '');
    document.getElementById('search')!.dataset['scrollBefore'] = '1500';
    history.replaceState({ index: 4, scrollX: 0, scrollY: 0 }, '');
    const replaced = vi.mocked(history.replaceState).mock.calls;
    replaced.length = 0;
    await enter('rain');
    expect(replaced[0]![0]).toMatchObject({ index: 4, scrollY: 1500 });
    expect(history.state).toMatchObject({ index: 5, scrollY: 0 });
  });

  it('are not written by a search in progress when the visitor goes back', async () => {
    type('rain');
    await wait(100);
    history.replaceState({ index: 0 }, '', '/sounds?search=before');
    dispatchEvent(new PopStateEvent('popstate', { state: { index: 0 } }));
    await wait(500);
    expect(answers).toHaveLength(0);
    await more();
    dispatchEvent(new PopStateEvent('popstate', { state: { index: 0 } }));
    await answer(0, ['second'], 3);
    expect(here()).toBe('/sounds?search=before');
    expect(state()).toEqual({ state: 'ready' });
  });

  it('are not added by a search in progress when the router swaps the page', async () => {
    type('ra');
    await wait(100);
    document.dispatchEvent(new Event('astro:before-swap'));
    await wait(500);
    expect(answers).toHaveLength(0);
    expect(entries).toEqual([null]);
  });
});

describe('a slow search', () => {
  const delay = () => {
    const now = state();
    return 'delay' in now ? now.delay : undefined;
  };

  it('says so after two seconds without an answer', async () => {
    type('雨', true);
    await wait(1990);
    expect(delay()).toBeUndefined();
    await wait(10);
    expect(delay()?.reason).toBe('slow');
    await answer(0, ['rain']);
    expect(state()).toEqual({ state: 'ready' });
  });

  it('says that it is retrying as soon as one attempt has failed, until the answer', async () => {
    await enter('雨');
    await refuse(0, 503, 10);
    expect(delay()?.reason).toBe('retrying');
    await wait(2500);
    expect(answers).toHaveLength(2);
    expect(delay()?.reason).toBe('retrying');
    await answer(1, ['rain']);
    expect(state()).toEqual({ state: 'ready' });
  });

  it('is repeated at once on request, and the previous attempt is ignored', async () => {
    await enter('雨');
    await refuse(0, 503, 10);
    delay()!.retry();
    await wait();
    expect(answers).toHaveLength(2);
    expect(state()).toEqual({ state: 'searching' });
    answers[1]!.resolve(list(['rain']));
    await wait(5000);
    expect(ids()).toEqual(['rain']);
    expect(state()).toEqual({ state: 'ready' });
  });

  it('does not show the waiting message of an older search', async () => {
    await enter('雨');
    await enter('雪');
    await refuse(0, 503, 10);
    expect(state()).toEqual({ state: 'searching' });
  });

  it('shows the same for もっと見る, and where it failed', async () => {
    await more();
    await refuse(0, 503, 10);
    expect(state()).toMatchObject({ state: 'loading-more', delay: { reason: 'retrying' } });
    for (const attempt of [1, 2, 3]) {
      await wait(4000);
      answers[attempt]!.reject(503);
    }
    await wait(10);
    expect(state()).toMatchObject({ state: 'failed', during: 'loading-more' });
    expect(ids()).toHaveLength(1);
  });
});
