// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseSoundFilters } from '../../../src/lib/sound-filters.ts';

type Answer = { resolve(body: unknown): void; reject(status: number): void; url: URL };

let answers: Answer[];
let module: typeof import('../../../src/stores/sound-browser.ts');
let stop: () => void;

const sound = (id: string) => ({ id, title: id });
const list = (ids: string[], next: number | null = null) => ({
  results: ids.map(sound),
  next,
  count: ids.length,
});
/** What asks the server loads on first use. */
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
  module = await import('../../../src/stores/sound-browser.ts');
  await import('../../../src/stores/sound-search.ts');
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
    expect(history.state).toEqual({ index: 0 });
  });

  it('does not wait after Enter', async () => {
    open();
    type('雨', true);
    await wait();
    expect(answers).toHaveLength(1);
  });

  it('returns to its own URL when the box is cleared before the answer came', async () => {
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

  it('tries a failed search again on Enter', async () => {
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

  it('appends the next page, without repeating a sound, and writes how far it reaches', async () => {
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

  it('keeps the list when more could not be loaded, and goes on from there on retry', async () => {
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
});
