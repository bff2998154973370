import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unlimitedAdmission } from '#server/platform/limits/admission.ts';
import { Busy } from '#server/platform/limits/busy.ts';
import { TooManyRequests } from '#server/platform/limits/rate-limits.ts';
import { createPageCache } from '#server/web/page-cache.ts';
import { type Page, toPage } from '#server/web/pages.ts';
import { parseTarget } from '#server/web/targets.ts';
import { limitCalls } from '#support/http/admissions.ts';
import { keepParameters, toHtml } from '#support/http/web.ts';

/** A cache over pages whose text and rendering time the test controls. */
function makeCache({ maxBytes = 1_000_000, admission = unlimitedAdmission, isAnnounced = false } = {}) {
  const rendered: string[] = [];
  const state = {
    now: 0,
    text: 'first',
    status: 200,
    headers: {} as Record<string, string>,
    isFailing: false,
    tags: [] as string[],
  };
  let gate: Promise<void> = Promise.resolve();
  const cache = createPageCache({
    toKey: keepParameters(['search', 'page', 'sub_genres']),
    admission,
    isAnnounced,
    maxBytes,
    now: () => state.now,
    async render(target, _, note) {
      rendered.push(target);
      for (const tag of state.tags) note(tag);
      const { text, status, headers, isFailing } = state;
      await gate;
      if (isFailing) throw new Error('the page fails');
      return toPage(toHtml(text, { status, headers }), []);
    },
  });
  const find = async (url: string, visitor = '') =>
    cache.find(url, visitor) ??
    (await cache.get(parseTarget(url) ?? { path: '/404', query: '' }, url, 'id', visitor));
  const get = async (url: string, visitor = '') => textOf(await find(url, visitor));
  /** What a browser gets that revalidates. */
  const revalidate = async (url: string, visitor = '') => {
    const target = parseTarget(url) ?? { path: '/404', query: '' };
    return textOf(cache.find(url, visitor, true) ?? (await cache.get(target, url, 'id', visitor, true)));
  };
  return {
    cache,
    state,
    rendered,
    find,
    get,
    revalidate,
    /** Blocks every rendering until the returned function is called. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return () => {
        gate = Promise.resolve();
        resolve();
      };
    },
  };
}

const textOf = async (page: Page) => (await page.encode('identity')).body.toString();

const headersOf = (raw: readonly string[]) =>
  Object.fromEntries(raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]]] : [])));

describe('page cache', () => {
  test('renders once for fifty concurrent requests', async () => {
    const { get, rendered, hold } = makeCache();
    const release = hold();
    const all = Promise.all(Array.from({ length: 50 }, () => get('/sounds')));
    await setImmediate();
    release();
    expect(new Set(await all)).toEqual(new Set(['first']));
    expect(rendered).toEqual(['/sounds']);
  });

  test('ignores order, spelling and unknown parameters', async () => {
    const { get, rendered } = makeCache();
    await get('/sounds?page=2&search=%E9%9B%A8');
    await get('/sounds?search=%e9%9b%a8&utm_source=x&page=2');
    await get('/%73ounds?search=雨&page=2');
    expect(rendered).toEqual(['/sounds?page=2&search=%E9%9B%A8']);
  });

  test('passes no unknown parameter to a page', async () => {
    const { get, rendered } = makeCache();
    await get('/sounds?utm_source=x&__proto__=y');
    expect(rendered).toEqual(['/sounds']);
  });

  test('serves no page older than a change it depends on, and keeps all others', async () => {
    const { cache, get, state, rendered } = makeCache();
    state.tags = ['artist a', 'listings'];
    await get('/one');
    state.tags = ['artist b'];
    await get('/two');
    rendered.length = 0;
    state.text = 'second';
    cache.changed(['artist a', 'face a']);
    expect([await get('/one'), await get('/two')]).toEqual(['second', 'first']);
    expect(rendered).toEqual(['/one']);
  });

  test('keeps a rendering during an unrelated change, but lets no request join it', async () => {
    const { cache, get, rendered, state, hold } = makeCache();
    state.tags = ['artist a'];
    const release = hold();
    const before = get('/');
    await setImmediate();
    cache.changed(['artist b']);
    const after = get('/');
    await setImmediate();
    release();
    expect(await Promise.all([before, after])).toEqual(['first', 'first']);
    expect(rendered).toHaveLength(2);
    await get('/');
    expect(rendered).toHaveLength(2);
  });

  test('never serves a page older than a local change', async () => {
    const tag = fc.constantFrom('a', 'b');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('read' as const), page: fc.constantFrom('/a', '/b', '/ab') }),
      fc.record({ kind: fc.constant('change' as const), tags: fc.uniqueArray(tag, { minLength: 1 }) }),
      fc.record({ kind: fc.constant('changeAll' as const) }),
      fc.record({ kind: fc.constant('finish' as const) }),
      fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(500, 2_000, 4_000) }),
    );
    const pages: Record<string, string[]> = { '/a': ['a'], '/b': ['b'], '/ab': ['a', 'b'] };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const versions: Record<string, number> = { a: 0, b: 0 };
        const toText = (page: string) => JSON.stringify(pages[page]?.map((tag) => versions[tag]));
        const gates: (() => void)[] = [];
        let time = 0;
        const cache = createPageCache({
          toKey: ({ path }) => path,
          admission: limitCalls({
            concurrency: 2,
            waitingMax: 100,
            waitMsMax: 10_000,
            burst: 1_000,
            perSec: 1,
          }),
          maxBytes: 1_000_000,
          now: () => time,
          async render(page, _, note) {
            const text = toText(page);
            await new Promise<void>((resolve) => gates.push(resolve));
            for (const tag of pages[page] ?? []) note(tag);
            return toPage(toHtml(text), []);
          },
        });
        const finish = async () => {
          for (let turns = 0; turns < 3; turns += 1) await setImmediate();
          for (const open of gates.splice(0)) open();
          for (let turns = 0; turns < 3; turns += 1) await setImmediate();
        };
        const reads: Promise<void>[] = [];
        for (const step of steps) {
          if (step.kind === 'read') {
            const oldest = JSON.parse(toText(step.page)) as number[];
            const page = cache.find(step.page, 'visitor');
            const reading = page
              ? Promise.resolve(page)
              : cache.get({ path: step.page, query: '' }, step.page, 'id', 'visitor');
            reads.push(
              reading.then(async (read) => {
                const seen = JSON.parse(await textOf(read)) as number[];
                seen.forEach((version, index) => expect(version).toBeGreaterThanOrEqual(oldest[index] ?? 0));
              }),
            );
          } else if (step.kind === 'change') {
            for (const tag of step.tags) versions[tag] = (versions[tag] ?? 0) + 1;
            cache.changed(step.tags);
          } else if (step.kind === 'changeAll') {
            for (const tag of Object.keys(versions)) versions[tag] = (versions[tag] ?? 0) + 1;
            cache.changed();
          } else if (step.kind === 'finish') await finish();
          else time += step.ms;
        }
        for (let turns = 0; turns < 20; turns += 1) await finish();
        await Promise.all(reads);
        expect(cache.sizes).toMatchObject({ renderings: 0, underWay: 0 });
      }),
      { numRuns: 100 },
    );
  });

  test('shows an older copy with its warning to a visitor whose rendering is refused', async () => {
    const { find, get, state, rendered, hold } = makeCache({
      admission: limitCalls({ concurrency: 1, waitingMax: 0, waitMsMax: 10, burst: 10, perSec: 1 }),
    });
    state.text = '<p data-outdated hidden class="x"></p>old';
    await get('/', 'a');
    await setImmediate();
    const release = hold();
    const slow = get('/slow', 'b');
    state.now = 10_000;
    expect(await get('/', 'c')).toMatch(/^<p data-outdated class="x">ただいま.+<\/p>old$/);
    await expect(get('/new', 'c')).rejects.toThrow(Busy);
    release();
    await slow;
    await setImmediate();
    state.text = 'second';
    // The other headers are not kept with the copy.
    expect(await get('/', 'd')).toBe('second');
    expect(rendered).toEqual(['/', '/slow', '/']);
    expect((await find('/')).isCacheable).toBe(true);
  });

  test.each([1_000_000, 0])('delays a refusal, with %d bytes for pages', async (maxBytes) => {
    const limits = { concurrency: 1, waitingMax: 1, waitMsMax: 10, burst: 1, perSec: 0.001 };
    let delayed = 0;
    const admission = { ...limitCalls(limits), delayRefusal: async () => void (delayed += 1) };
    const { get } = makeCache({ maxBytes, admission });
    await get('/first', 'a');
    expect(delayed).toBe(0);
    await expect(get('/second', 'a')).rejects.toThrow(TooManyRequests);
    expect(delayed).toBe(1);
  });

  test('renders again for visitors who waited with one that is refused', async () => {
    const { get, hold, rendered } = makeCache({
      admission: limitCalls({ concurrency: 1, waitingMax: 3, waitMsMax: 10_000, burst: 10, perSec: 1 }),
    });
    const release = hold();
    const first = get('/first', 'a');
    const others = [get('/other', 'a'), get('/another', 'a').catch(() => undefined)];
    const turnedAway = get('/shared', 'a').catch((error: unknown) => error);
    const joined = get('/shared', 'b');
    // Takes the last place of `a`.
    const newcomer = get('/newcomer', 'c');
    expect(await turnedAway).toBeInstanceOf(Busy);
    release();
    await Promise.all([first, newcomer, ...others]);
    expect(await joined).toBe('first');
    expect(rendered.toSorted()).toEqual(['/first', '/newcomer', '/other', '/shared']);
  });

  test('does not try again for a visitor who waited with their own refused rendering', async () => {
    let attempts = 0;
    const { get } = makeCache({
      admission: {
        ...unlimitedAdmission,
        async run() {
          attempts += 1;
          throw new Busy();
        },
      },
    });
    const answers = await Promise.allSettled([get('/', 'a'), get('/', 'a')]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(attempts).toBe(1);
  });

  test('keeps every map bounded under new addresses', async () => {
    const { cache, get } = makeCache();
    for (let index = 0; index < 12_000; index += 1) await get(`/sounds?search=${index}`);
    expect(cache.sizes['spellings']).toBeLessThanOrEqual(10_000);
    expect(cache.sizes).toMatchObject({ renderings: 0, underWay: 0 });
    expect(cache.byteSize).toBeLessThanOrEqual(1_000_000);
  });

  test('serves a stale page at once during one rendering', async () => {
    const { get, rendered, state, hold } = makeCache();
    await get('/');
    state.text = 'second';
    state.now = 2_500;
    const release = hold();
    expect(await Promise.all([get('/'), get('/'), get('/')])).toEqual(['first', 'first', 'first']);
    expect(rendered).toHaveLength(2);
    release();
    await setImmediate();
    expect(await get('/')).toBe('second');
    expect(rendered).toHaveLength(2);
  });

  test('does not render again within two seconds', async () => {
    const { get, rendered, state } = makeCache();
    await get('/');
    state.now = 1_999;
    await get('/');
    expect(rendered).toHaveLength(1);
  });

  test.each([
    ['with tags, whose changes are announced, for a minute', true, ['listings'], 60_000],
    ['with tags of a host that does not announce, for three seconds', false, ['listings'], 3_000],
    ['without tags for three seconds', true, [], 3_000],
  ])('keeps pages %s, and renders them again from half of that time', async (_, isAnnounced, tags, age) => {
    const { get, rendered, state, cache } = makeCache({ isAnnounced });
    state.tags = tags;
    await get('/');
    state.now = age / 2 - 501;
    await get('/');
    expect(rendered).toHaveLength(1);
    Object.assign(state, { now: age - 1, text: 'second' });
    expect(await get('/')).toBe('first');
    await expect.poll(() => get('/')).toBe('second');
    state.now += age;
    state.text = 'third';
    expect(await get('/')).toBe('third');
    cache.changed(['listings']);
    state.text = 'fourth';
    expect(await get('/')).toBe(tags.length > 0 ? 'fourth' : 'third');
  });

  test('shares a rendering among requests that find the page too old', async () => {
    const { get, rendered, state, hold } = makeCache();
    await get('/');
    state.text = 'second';
    state.now = 2_500;
    const release = hold();
    expect(await get('/')).toBe('first');
    state.now = 3_500;
    const late = [get('/'), get('/')];
    release();
    expect(await Promise.all(late)).toEqual(['second', 'second']);
    expect(rendered).toHaveLength(2);
  });

  test('neither keeps nor shares a rendering started before a change', async () => {
    const { cache, get, rendered, state, hold } = makeCache();
    const release = hold();
    const before = get('/');
    await setImmediate();
    state.text = 'second';
    cache.changed();
    const after = get('/');
    await setImmediate();
    release();
    expect(await Promise.all([before, after])).toEqual(['first', 'second']);
    expect(await get('/')).toBe('second');
    expect(rendered).toHaveLength(2);
  });

  test.each([
    ['rendering throws', { isFailing: true }],
    ['the API does not answer', { status: 503, text: 'outage' }],
    ['the page fails', { status: 500, text: 'error box' }],
    ['a part of the page is missing', { headers: { 'x-incomplete': 'on' }, text: 'part' }],
  ])('goes on with the last good page while %s, and tries again every two seconds', async (_, change) => {
    const { get, rendered, state } = makeCache();
    await get('/');
    Object.assign(state, change);
    state.now = 10_000;
    expect(await get('/')).toBe('first');
    expect(await get('/')).toBe('first');
    expect(rendered).toHaveLength(2);
    state.now = 12_500;
    expect(await get('/')).toBe('first');
    await setImmediate();
    expect(rendered).toHaveLength(3);
    state.now = 3_600_000;
    expect(await get('/')).toBe('first');
    expect(rendered).toHaveLength(4);
    Object.assign(state, { isFailing: false, status: 200, headers: {}, text: 'second', now: 3_700_000 });
    expect(await get('/')).toBe('second');
  });

  test('shows the warning of an outdated page, caches it only in a CDN and briefly, and hides it again', async () => {
    const { find, state } = makeCache();
    state.text = '<p data-outdated hidden></p>old'.padEnd(2_000);
    const good = await find('/');
    state.status = 503;
    state.now = 10_000;
    const outdated = await find('/');
    expect(outdated.status).toBe(200);
    expect(outdated.etag).not.toBe(good.etag);
    expect(await textOf(outdated)).toMatch(/^<p data-outdated>ただいま.+<\/p>old/);
    expect(await textOf(good)).toContain('<p data-outdated hidden></p>old');
    expect(headersOf((await outdated.encode('identity')).headers)).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate',
      'cdn-cache-control': 'max-age=2',
      warning: '111 - "Revalidation Failed"',
    });
    expect(headersOf((await good.encode('identity')).headers)['warning']).toBeUndefined();
    state.status = 200;
    state.now = 20_000;
    const restored = await find('/');
    expect(restored.etag).toBe(good.etag);
    expect(await textOf(restored)).toContain('hidden');
  });

  test('waits for a renewal only once while the API fails', async () => {
    const { get, rendered, state, hold } = makeCache();
    await get('/');
    state.status = 503;
    state.now = 10_000;
    await get('/');
    state.now = 12_500;
    const release = hold();
    expect(await get('/')).toBe('first');
    expect(await get('/')).toBe('first');
    expect(rendered).toHaveLength(3);
    release();
  });

  test.each([
    ['any page after a day', [], { status: 503 }, 86_397_500],
    ['sounds and artists after an hour', ['sound 1'], { status: 503 }, 3_599_000],
    [
      'sounds and artists after five minutes in which the API answers without a part',
      ['listings', 'face a'],
      { headers: { 'x-incomplete': 'on' } },
      299_000,
    ],
  ])('drops in an outage %s', async (_, tags, change, lastMs) => {
    const { get, state } = makeCache();
    state.tags = tags;
    await get('/');
    Object.assign(state, change, { text: 'outage', now: lastMs });
    expect(await get('/')).toBe('first');
    state.now = lastMs + 3_500;
    expect(await get('/')).toBe('outage');
  });

  test('shows sounds and artists no older than five minutes to visitors who are refused', async () => {
    const { get, state, hold } = makeCache({
      admission: limitCalls({ concurrency: 1, waitingMax: 0, waitMsMax: 10, burst: 10, perSec: 1 }),
    });
    await get('/terms', 'a');
    await setImmediate();
    state.tags = ['sound 1'];
    await get('/', 'a');
    await setImmediate();
    const release = hold();
    const slow = get('/slow', 'b');
    state.now = 299_000;
    expect(await get('/', 'c')).toBe('first');
    state.now = 300_000;
    await expect(get('/', 'c')).rejects.toThrow(Busy);
    expect(await get('/terms', 'c')).toBe('first');
    release();
    await slow;
  });

  test.each([
    ['is not there', { status: 404 }],
    ['is not there while a part fails', { status: 404, headers: { 'x-incomplete': 'on' } }],
    ['is refused', { status: 500, headers: { 'x-refused': 'on' } }],
    ['is refused while a part fails', { status: 500, headers: { 'x-refused': 'on', 'x-incomplete': 'on' } }],
  ])('drops a page at once that %s, also after an outage', async (_, change) => {
    const { get, state } = makeCache();
    await get('/');
    Object.assign(state, { status: 503, text: 'outage', now: 10_000 });
    expect(await get('/')).toBe('first');
    Object.assign(state, { headers: {}, ...change, text: 'gone', now: 13_000 });
    expect(await get('/')).toBe('gone');
    Object.assign(state, { status: 503, headers: {}, text: 'outage', now: 20_000 });
    expect(await get('/')).toBe('outage');
  });

  test('shows no page older than a change in an outage', async () => {
    const { cache, get, state } = makeCache();
    await get('/');
    cache.changed();
    Object.assign(state, { status: 503, text: 'outage' });
    expect(await get('/')).toBe('outage');
  });

  test('does not fall back to a page that was not found', async () => {
    const { get, state } = makeCache();
    Object.assign(state, { status: 404, text: 'Not Found' });
    await get('/');
    Object.assign(state, { status: 503, text: 'outage', now: 10_000 });
    expect(await get('/')).toBe('outage');
  });

  test.each([
    ['maintenance', { status: 503, headers: { 'x-maintenance': 'on' } }],
    ['a redirection', { status: 302, headers: { location: '/login' } }],
    ['what is private', { headers: { 'cache-control': 'private' } }],
  ])('is replaced by %s within three seconds, also where nobody asked meanwhile', async (_, change) => {
    const asked = makeCache();
    await asked.get('/');
    Object.assign(asked.state, change, { text: 'second', now: 2_500 });
    await asked.get('/');
    await setImmediate();
    expect(await asked.get('/')).toBe('second');

    const unasked = makeCache();
    await unasked.get('/');
    Object.assign(unasked.state, change, { text: 'second', now: 3_000 });
    expect(await unasked.get('/')).toBe('second');
    // A later outage does not restore it.
    Object.assign(unasked.state, { status: 503, text: 'outage', headers: {}, now: 10_000 });
    expect(await unasked.get('/')).toBe('outage');
  });

  test.each([
    ['a failing page', { status: 500 }],
    ['maintenance', { status: 503, headers: { 'x-maintenance': 'on' } }],
    ['a page without a part', { headers: { 'x-incomplete': 'on' } }],
    ['a redirection', { status: 301 }],
    ['what is private', { headers: { 'cache-control': 'private' } }],
    ['what must not be stored', { headers: { 'cache-control': 'no-store' } }],
    ['what sets a cookie', { headers: { 'set-cookie': 'a=b' } }],
  ])('does not keep %s', async (_, change) => {
    const { get, rendered, state } = makeCache();
    Object.assign(state, change);
    await get('/');
    await get('/');
    expect(rendered).toHaveLength(2);
  });

  test('stays within its bytes for any requests', async () => {
    const { cache, get, state } = makeCache({ maxBytes: 300_000 });
    state.text = 'x'.repeat(20_000);
    for (let index = 0; index < 100; index += 1) {
      await get(`/sounds?search=${index}`);
      const page = cache.find(`/sounds?search=${index}`, '');
      if (page) {
        await page.encode('br');
        cache.resized(page);
      }
    }
    expect(cache.byteSize).toBeGreaterThan(100_000);
    expect(cache.byteSize).toBeLessThanOrEqual(300_000);
  });

  test('counts the bytes of compressed pages as well', async () => {
    const { cache, find, state } = makeCache();
    state.text = Array.from({ length: 5_000 }, (_, index) => index).join();
    const page = await find('/');
    const before = cache.byteSize;
    const { body } = await page.encode('gzip');
    cache.resized(page);
    expect(cache.byteSize).toBe(before + body.byteLength);
  });

  test('counts the bytes of outdated pages as well', async () => {
    const { cache, find, state } = makeCache({ maxBytes: 300_000 });
    state.text = 'x'.repeat(20_000);
    for (let index = 0; index < 8; index += 1) await find(`/sounds?search=${index}`);
    const before = cache.byteSize;
    Object.assign(state, { status: 503, now: 10_000 });
    await find('/sounds?search=7');
    expect(cache.byteSize).toBeGreaterThan(before + 20_000);
    for (let index = 0; index < 8; index += 1) await find(`/sounds?search=${index}`);
    expect(cache.byteSize).toBeLessThanOrEqual(300_000);
  });

  test('never evicts existing pages for missing ones', async () => {
    const { get, rendered, state } = makeCache({ maxBytes: 300_000 });
    await get('/sounds');
    Object.assign(state, { status: 404, text: 'x'.repeat(5_000) });
    for (let index = 0; index < 200; index += 1) await get(`/nope-${index}`);
    rendered.length = 0;
    await get('/sounds');
    expect(rendered).toEqual([]);
  });

  test('renders every time when its size is 0', async () => {
    const { get, rendered } = makeCache({ maxBytes: 0 });
    await get('/');
    await get('/');
    expect(rendered).toHaveLength(2);
  });
});

describe('page', () => {
  const page = (text: string, init: ResponseInit = {}) => toPage(toHtml(text, init), []);

  test('is compressed once for concurrent requests', async () => {
    const large = await page('音'.repeat(5_000));
    const [one, two] = await Promise.all([large.encode('br'), large.encode('br')]);
    expect(one).toBe(two);
    expect(one.body.byteLength).toBeLessThan(500);
    expect(headersOf(one.headers)).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  });

  test('takes no more memory than its bytes, although zlib gives parts of a pool', async () => {
    const large = await page(Array.from({ length: 5_000 }, (_, index) => index).join());
    for (const encoding of ['br', 'gzip', 'identity'] as const) {
      const { body } = await large.encode(encoding);
      expect(body.buffer.byteLength).toBe(body.byteLength);
    }
  });

  test('is kept compressed once a visitor accepts that, and gives every encoding', async () => {
    const text = '音'.repeat(5_000);
    const large = await page(text);
    const before = large.byteSize;
    expect(large.canShrink).toBe(false);
    await large.encode('br');
    expect(large.byteSize).toBeLessThan(before - 14_000);
    expect(await textOf(large)).toBe(text);
    expect(gunzipSync((await large.encode('gzip')).body).toString()).toBe(text);
    expect(large.find('gzip')).toBeDefined();
    expect(large.canShrink).toBe(true);
    await large.shrink();
    expect(large.canShrink).toBe(false);
    expect(await textOf(large)).toBe(text);
    expect(large.toOutdated().find('identity')?.body.toString()).toBe(text);
  });

  test('is not compressed when small', async () => {
    const small = await page('short');
    expect(await small.encode('br')).toBe(small.find('identity'));
  });

  test('has its character set, and forbids frames in addition to its policy', async () => {
    const read = await page('x', { headers: { 'content-security-policy': "script-src 'self';" } });
    expect(headersOf((await read.encode('identity')).headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "script-src 'self'; frame-ancestors 'none'",
    });
  });

  test('can be framed by the older header only where its policy allows every site', async () => {
    const framed = async (policy: string) => {
      const init = { headers: { 'content-security-policy': policy } };
      const read = await toPage(toHtml('x', init), [['x-frame-options', 'DENY']]);
      return headersOf((await read.encode('identity')).headers)['x-frame-options'];
    };
    expect(await framed("default-src 'none'; frame-ancestors *; sandbox")).toBeUndefined();
    expect(await framed("default-src 'none'; frame-ancestors *")).toBeUndefined();
    for (const policy of [
      "frame-ancestors 'none'",
      'frame-ancestors *.test',
      'script-src frame-ancestors *',
    ]) {
      expect(await framed(policy)).toBe('DENY');
    }
  });

  test('gets a strict policy when it has none', async () => {
    const read = await page('x');
    expect(headersOf((await read.encode('identity')).headers)['content-security-policy']).toMatch(
      /^default-src 'self';.*frame-ancestors 'none'/,
    );
  });

  test('has the same ETag only for the same content', async () => {
    expect((await page('a')).etag).toBe((await page('a')).etag);
    expect((await page('a')).etag).not.toBe((await page('b')).etag);
    expect((await page('a', { headers: { 'content-language': 'ja' } })).etag).not.toBe(
      (await page('a')).etag,
    );
  });
});

describe('a browser that revalidates', () => {
  test('gets a page whose changes are not announced as it is now, half a second after it was rendered', async () => {
    const { state, rendered, get, revalidate } = makeCache();
    state.tags = ['sounds'];
    await get('/sounds');
    state.text = 'second';
    state.now = 499;
    expect(await revalidate('/sounds')).toBe('first');
    state.now = 500;
    expect(await get('/sounds')).toBe('first');
    expect(await revalidate('/sounds')).toBe('second');
    expect(await get('/sounds')).toBe('second');
    expect(rendered).toHaveLength(2);
  });

  test('gets the cached page where a change drops it', async () => {
    const { state, rendered, get, revalidate } = makeCache({ isAnnounced: true });
    state.tags = ['sounds'];
    await get('/sounds');
    state.now = 20_000;
    expect(await revalidate('/sounds')).toBe('first');
    expect(rendered).toHaveLength(1);
  });

  test('does not join a rendering that may have read before its change, which replaces nothing newer', async () => {
    const { state, hold, get, revalidate } = makeCache();
    const release = hold();
    const earlier = get('/sounds');
    state.now = 500;
    state.text = 'second';
    const later = revalidate('/sounds');
    await setImmediate();
    release();
    expect(await Promise.all([earlier, later])).toEqual(['first', 'second']);
    expect(await get('/sounds')).toBe('second');
  });

  test('W5 a flood of them has each page rendered twice a second at most', async () => {
    const { state, rendered, revalidate } = makeCache();
    for (let second = 0; second < 10; second += 1) {
      for (let request = 0; request < 100; request += 1) {
        state.now = second * 1_000 + request * 10;
        await Promise.all([revalidate('/sounds', 'a'), revalidate('/sounds', `${request}`)]);
      }
    }
    expect(rendered.length).toBeLessThanOrEqual(20);
  });

  test('P20 a visitor who finds a page old pays for its renewal', async () => {
    const paid: string[] = [];
    const { state, get, rendered } = makeCache({
      admission: {
        ...unlimitedAdmission,
        run(visitor, work) {
          paid.push(visitor);
          return work();
        },
      },
    });
    await get('/sounds', 'somebody');
    state.now = 2_500;
    expect(await get('/sounds', 'attacker')).toBe('first');
    expect(rendered).toHaveLength(2);
    expect(paid).toEqual(['somebody', 'attacker']);
  });

  test('W5 pays with its own budget, and gets the cached page when that is used up', async () => {
    const limits = { concurrency: 1, waitingMax: 10, waitMsMax: 1_000, burst: 2, perSec: 0.001 };
    const { state, rendered, get, revalidate } = makeCache({ admission: limitCalls(limits) });
    await get('/sounds', 'somebody');
    for (state.now = 500; state.now <= 2_500; state.now += 500) {
      expect(await revalidate('/sounds', 'attacker')).toBe('first');
    }
    expect(rendered).toHaveLength(3);
    expect(await get('/sounds', 'somebody')).toBe('first');
  });
});
