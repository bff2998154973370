// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SoundFilters, parseSoundFilters, toSoundsUrl } from '#src/lib/sound-filters.ts';
import { useStores } from '../support/stores.ts';

interface Reply {
  readonly ids: readonly string[];
  readonly next: number | null;
}

type Answer = {
  resolve(reply: Reply): void;
  reject(status: number): void;
  fail(): void;
  respond(body: string | null, init?: ResponseInit): void;
  url: URL;
};

let answers: Answer[];
let search: typeof import('#src/stores/search/search.ts');
let fake: typeof import('../support/router.ts');

const list = (ids: readonly string[], next: number | null = null): Reply => ({ ids, next });

/** A fragment of the page server. */
function toHtml(params: URLSearchParams, { ids, next }: Reply): string {
  const filters = parseSoundFilters(params);
  const url = (change: Partial<SoundFilters> = {}) => toSoundsUrl({ ...filters, ...change });
  const cards = ids.map((id) => `<li><article data-sound="${id}"></article></li>`).join('');
  const more =
    next && `<a id="more" data-astro-history="replace" href="${url({ lastPage: next })}">もっと見る</a>`;
  return `<div id="listing" data-url="${url()}">
    <section id="results">
      <p id="result-count" data-part role="status">「${filters.search}」の検索結果</p>
      <div id="cards" data-part><ul class="sound-grid">${cards}</ul></div>
      <p id="shown-count" data-part></p>
      <div id="pages" data-part>${more ?? ''}</div>
    </section></div>`;
}

/** Waits for the modules that a search request loads on first use. */
const wait = async (ms = 0) => {
  await vi.dynamicImportSettled();
  await vi.advanceTimersByTimeAsync(ms);
};
const here = () => location.pathname + location.search;
/** What is shown while a navigation is under way or has failed. */
const busy = () =>
  [...document.querySelectorAll('[id]')].find(({ ariaBusy }) => ariaBusy === 'true')?.id ?? null;
const notice = () => {
  const line = document.querySelector('#navigation-notice p');
  return line && [line.role, line.textContent];
};
const retry = async () => {
  document.querySelector<HTMLElement>('#navigation-notice button')!.click();
  await wait();
};
const ids = () =>
  [...document.querySelectorAll<HTMLElement>('[data-sound]')].map((card) => card.dataset['sound']);

function open(query = '') {
  history.replaceState({}, '', `/sounds${query}`);
  document.body.innerHTML = `<input id="search">${toHtml(new URLSearchParams(query), list(['first'], 2))}`;
}

/** As Astro's router does. */
function pressMore(): void {
  const sourceElement = document.getElementById('more') as HTMLAnchorElement;
  void fake.navigate(sourceElement.href, { history: 'replace', sourceElement });
}

const type = (text: string, isFinal = false) => search.searchFor(text, isFinal);

const enter = async (text: string) => {
  type(text, true);
  await wait();
};
/** Types, and waits until typing has settled. */
const pauseAfter = async (text: string) => {
  type(text);
  await wait(155);
};
const follow = async (href: string) => {
  void fake.navigate(href);
  await wait();
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

// It asks for what has come from the browser's cache once more.
vi.mock('#src/navigation/freshness.ts', () => ({ checkPage: () => Promise.resolve() }));

useStores({ clock: true });
beforeEach(async () => {
  vi.resetModules();
  answers = [];
  // Missing in happy-dom.
  HTMLElement.prototype.showPopover = () => undefined;
  vi.stubGlobal('fetch', (input: RequestInfo | URL) => {
    const url = new URL(String(input instanceof Request ? input.url : input), 'http://site.test');
    return new Promise<Response>((resolve, reject) => {
      answers.push({
        url,
        resolve: (reply) => resolve(new Response(toHtml(url.searchParams, reply))),
        fail: () => reject(new TypeError('no connection')),
        reject: (status) => resolve(new Response('no', { status })),
        respond: (body, init) => resolve(new Response(body, init)),
      });
    });
  });
  search = await import('#src/stores/search/search.ts');
  fake = await import('../support/router.ts');
  fake.router.isActive = true;
  const navigation = await import('#src/navigation/navigation.ts');
  navigation.watchNavigations();
  open();
});

describe('the listing of /sounds', () => {
  it('waits for typing to settle, then asks once and shows the answer under its URL', async () => {
    type('あ');
    await wait(100);
    type('雨');
    await wait(149);
    expect(answers).toHaveLength(0);
    await wait(6);
    expect(answers.map(({ url }) => url.searchParams.get('search'))).toEqual(['雨']);
    expect([busy(), here()]).toEqual(['results', '/sounds']);
    await answer(0, ['rain']);
    expect([busy(), here()]).toEqual([null, '/sounds?search=%E9%9B%A8']);
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

  it.each(['is under way', 'has failed'])('stays when the box is cleared while a search %s', async (what) => {
    await pauseAfter('雨');
    if (what === 'has failed') await refuse(0, 400);
    await pauseAfter('');
    if (what === 'is under way') await answer(0, ['rain']);
    expect([here(), ids(), busy(), notice()]).toEqual(['/sounds', ['first'], null, null]);
  });

  it('tries a failed search again on Enter, and asks again for its text after another one', async () => {
    await pauseAfter('雨');
    await refuse(0, 400);
    await enter('雨');
    await refuse(1, 400);
    await pauseAfter('雨の');
    await answer(2, ['rainy']);
    await pauseAfter('雨');
    expect(busy()).toBe('results');
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
    await more();
    expect([busy(), document.getElementById('more')?.textContent]).toEqual(['more', 'Loading...']);
    expect(answers[0]!.url.search).toBe('?to=2&more=1');
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
    expect(busy()).toBe('results');
    await answer(1, ['rain']);
    expect([ids(), here()]).toEqual([['rain'], '/sounds?search=%E9%9B%A8']);
  });

  describe.each<[what: string, body: string | null, init?: ResponseInit]>([
    ['a refusal', 'no', { status: 400 }],
    ['the log-in page of a network', '<!doctype html><title>Wi-Fi</title><form></form>'],
    ['nothing', null, { status: 204 }],
    ['an empty text', ''],
    ['the text "null"', 'null'],
    ['a listing that is cut off', '<div id="listing" data-url="/sounds?search=x"><section id="res'],
  ])('that is answered with %s', (_, body, init) => {
    it.each([
      ['typing', () => enter('雨'), '/sounds?search=%E9%9B%A8', ['second']],
      ['もっと見る', more, '/sounds?to=2', ['first', 'second']],
      ['a link', () => follow('/sounds?type=1'), '/sounds?type=1', ['second']],
    ])('after %s: says so, keeps the list, and shows the sounds on retry', async (_way, go, url, after) => {
      await go();
      answers[0]!.respond(body, init);
      await wait();
      expect([notice()?.[0], busy(), ids(), here()]).toEqual(['alert', null, ['first'], '/sounds']);
      expect(document.getElementById('more')?.textContent).toBe('もっと見る');
      await retry();
      await answer(1, ['second']);
      expect([ids(), here(), notice()]).toEqual([after, url, null]);
    });
  });

  it('says how long to wait where there were too many requests', async () => {
    await enter('雨');
    answers[0]!.respond('no', { status: 429, headers: { 'retry-after': '30' } });
    await wait(10);
    expect(notice()).toEqual(['alert', '操作の回数が多すぎます。30秒後にもう一度お試しください。']);
    await retry();
    await answer(1, ['rain']);
    expect([notice(), ids()]).toEqual([null, ['rain']]);
  });

  it('keeps the trailing slash of the listing’s address', async () => {
    history.replaceState({}, '', '/sounds/');
    await more();
    await answer(0, ['second'], 3);
    expect(here()).toBe('/sounds?to=2');
    history.replaceState({}, '', '/sounds/');
    await enter('雨');
    await answer(1, ['rain']);
    expect(here()).toBe('/sounds?search=%E9%9B%A8');
  });

  it('does not change the address of another page', async () => {
    history.replaceState({}, '', '/sounds/first');
    await enter('雨');
    expect([here(), answers]).toEqual(['/sounds/first', []]);
  });

  it('shows the page of a maintenance in its place', async () => {
    await enter('雨');
    const init = { status: 503, headers: { 'x-maintenance': 'on' } };
    answers[0]!.respond('<main id="main">maintenance</main>', init);
    await wait();
    expect([notice(), fake.arrived?.getElementById('main')?.textContent]).toEqual([null, 'maintenance']);
  });
});

describe('another page', () => {
  const page = '<title>a</title><main id="main"><h1>a</h1></main><noscript>no script</noscript>';

  it('is shown with its status, without what is for browsers without script', async () => {
    await follow('/artist/a');
    answers[0]!.respond(page, { status: 404 });
    await wait();
    expect([here(), fake.arrived?.title]).toEqual(['/artist/a', 'a']);
    expect(fake.arrived?.querySelector('noscript')).toBeNull();
  });

  it('is asked for again while the connection is lost, and once it is back', async () => {
    await follow('/artist/a');
    for (const attempt of [0, 1, 2, 3]) {
      answers[attempt]!.fail();
      await wait(4000);
    }
    expect([notice()?.[0], here()]).toEqual(['alert', '/sounds']);
    dispatchEvent(new Event('online'));
    await wait();
    answers[4]!.respond(page);
    await wait();
    expect([notice(), here()]).toEqual([null, '/artist/a']);
  });

  it('that is none of this site is left to the browser', async () => {
    await follow('/artist/a');
    answers[0]!.respond('<title>Wi-Fi</title><form></form>');
    await wait();
    expect([fake.left.at(-1), here()]).toEqual(['/artist/a', '/sounds']);
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
    for (const each of answers) each.resolve(list(['rain']));
    await wait();
  };
  const typeAndWait = async (text: string, ms: number) => {
    type(text);
    await wait(200);
    await answerAll();
    await wait(ms - 200);
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

  it('are not added by Enter on the shown search, nor by trying a failed search again', async () => {
    await enter('rain');
    await refuse(0, 400, 1100);
    await enter('rain');
    await answer(1, ['rain']);
    type('rain', true);
    await wait(1100);
    expect(entries).toEqual([null, 'rain']);
    await enter('snow');
    await answerAll();
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
    const position = vi.spyOn(window, 'scrollY', 'get').mockReturnValue(1500);
    document.getElementById('search')!.dispatchEvent(new Event('focusin', { bubbles: true }));
    position.mockReturnValue(0);
    const replaced = vi.mocked(history.replaceState).mock.calls;
    replaced.length = 0;
    await enter('rain');
    expect(replaced[0]![0]).toMatchObject({ place: { scrollY: 1500 } });
  });

  it.each([
    ['goes back', () => fake.traverse()],
    ['follows a link', () => fake.navigate('/sounds?type=1')],
  ])('are not added by a search in progress when the visitor %s', async (_, go) => {
    type('ra');
    await wait(100);
    void go();
    await wait(500);
    expect(answers).toHaveLength(1);
    await answer(0, ['other']);
    expect(entries.filter(Boolean)).toEqual([]);
  });
});

describe('a slow navigation', () => {
  it('says so after two seconds without an answer', async () => {
    type('雨', true);
    await wait(1990);
    expect(notice()).toBeNull();
    await wait(20);
    expect(notice()).toEqual(['status', '検索に時間がかかっています。表示しているのは前の検索結果です。']);
    await answer(0, ['rain']);
    expect([notice(), ids()]).toEqual([null, ['rain']]);
  });

  it.each([
    ['typing', () => enter('雨'), 'うまく検索できなかったため'],
    ['もっと見る', more, 'うまく読み込めなかったため'],
    ['a link', () => follow('/sounds?type=1'), 'うまく検索できなかったため'],
  ])('after %s: says that it is tried again as soon as one attempt has failed', async (_, go, text) => {
    await go();
    await refuse(0, 503, 10);
    expect(notice()?.[1]).toContain(text);
    await wait(2500);
    expect(answers).toHaveLength(2);
    expect(notice()?.[1]).toContain(text);
    await answer(1, ['rain']);
    expect([notice(), busy()]).toEqual([null, null]);
  });

  it('is repeated at once on request, and the previous attempt is ignored', async () => {
    await enter('雨');
    await refuse(0, 503, 10);
    await retry();
    expect([answers.length, notice(), busy()]).toEqual([2, null, 'results']);
    answers[1]!.resolve(list(['rain']));
    await wait(5000);
    expect(ids()).toEqual(['rain']);
  });

  it('does not show the notice of an older search', async () => {
    await enter('雨');
    await enter('雪');
    await refuse(0, 503, 10);
    expect(notice()).toBeNull();
  });

  it('has failed after four attempts', async () => {
    await more();
    await refuse(0, 503, 10);
    for (const attempt of [1, 2, 3]) {
      await wait(4000);
      answers[attempt]!.reject(503);
    }
    await wait(10);
    expect([notice()?.[0], ids()]).toEqual(['alert', ['first']]);
  });
});
