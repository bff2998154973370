import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPageCache } from '../../../server/web/page-cache.ts';
import { toPage } from '../../../server/web/pages.ts';
import { parseTarget } from '../../../server/web/targets.ts';
import { toHtml } from '../../support/web.ts';

/** A cache over pages whose text the test sets and whose rendering it can hold up. */
function makeCache({ maxBytes = 1_000_000 } = {}) {
  const rendered: string[] = [];
  const state = {
    now: 0,
    text: 'first',
    status: 200,
    headers: {} as Record<string, string>,
    isFailing: false,
  };
  let gate: Promise<void> = Promise.resolve();
  const cache = createPageCache({
    queryNames: ['search', 'page', 'sub_genres'],
    maxBytes,
    now: () => state.now,
    async render(target) {
      rendered.push(target);
      const { text, status, headers, isFailing } = state;
      await gate;
      if (isFailing) throw new Error('the page fails');
      return toPage(toHtml(text, { status, headers }), []);
    },
  });
  const get = async (url: string) => {
    const page =
      cache.find(url) ?? (await cache.get(parseTarget(url) ?? { path: '/404', query: '' }, url, 'id'));
    return page.variants.identity.body.toString();
  };
  return {
    cache,
    state,
    rendered,
    get,
    /** Holds every rendering up until the returned function is called. */
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

describe('page cache', () => {
  test('renders once for fifty at the same time', async () => {
    const { get, rendered, hold } = makeCache();
    const release = hold();
    const all = Promise.all(Array.from({ length: 50 }, () => get('/sounds')));
    await setImmediate();
    release();
    expect(new Set(await all)).toEqual(new Set(['first']));
    expect(rendered).toEqual(['/sounds']);
  });

  test('sees through order, spelling and unknown parameters', async () => {
    const { get, rendered } = makeCache();
    await get('/sounds?page=2&search=%E9%9B%A8');
    await get('/sounds?search=%e9%9b%a8&utm_source=x&page=2');
    await get('/%73ounds?search=雨&page=2');
    expect(rendered).toEqual(['/sounds?page=2&search=%E9%9B%A8']);
  });

  test('keeps repeated parameters, in their order', async () => {
    const { get, rendered } = makeCache();
    await get('/sounds?sub_genres=2&x=1&sub_genres=1');
    expect(rendered).toEqual(['/sounds?sub_genres=2&sub_genres=1']);
  });

  test('passes no unknown parameter to a page', async () => {
    const { get, rendered } = makeCache();
    await get('/sounds?utm_source=x&__proto__=y');
    expect(rendered).toEqual(['/sounds']);
  });

  test('serves a stale page at once while one rendering is under way', async () => {
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

  test('does not ask again within two seconds', async () => {
    const { get, rendered, state } = makeCache();
    await get('/');
    state.now = 1_999;
    await get('/');
    expect(rendered).toHaveLength(1);
  });

  test('renders before answering once a page is a minute old', async () => {
    const { get, state } = makeCache();
    await get('/');
    state.text = 'second';
    state.now = 60_001;
    expect(await get('/')).toBe('second');
  });

  test('serves nothing from before a change', async () => {
    const { cache, get, state } = makeCache();
    await get('/');
    state.text = 'second';
    cache.changed();
    expect(await get('/')).toBe('second');
  });

  test('neither keeps nor shares a rendering that began before a change', async () => {
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

  test('drops a background rendering that a change overtook', async () => {
    const { cache, get, state, hold } = makeCache();
    await get('/');
    state.now = 3_000;
    const release = hold();
    await get('/');
    state.text = 'second';
    cache.changed();
    release();
    await setImmediate();
    expect(await get('/')).toBe('second');
  });

  test('goes on with the stale page while rendering fails, and tries again', async () => {
    const { get, rendered, state } = makeCache();
    await get('/');
    state.isFailing = true;
    state.now = 3_000;
    expect(await get('/')).toBe('first');
    await setImmediate();
    expect(await get('/')).toBe('first');
    expect(rendered).toHaveLength(2);
    state.now = 6_000;
    await get('/');
    expect(rendered).toHaveLength(3);
    state.now = 70_000;
    await expect(get('/')).rejects.toThrow('the page fails');
  });

  test.each([
    ['a failing page', { status: 500 }],
    ['maintenance', { status: 503 }],
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

  test('stays within its bytes, whatever is asked for', async () => {
    const { cache, get, state } = makeCache({ maxBytes: 300_000 });
    state.text = 'x'.repeat(20_000);
    for (let index = 0; index < 100; index += 1) {
      await get(`/sounds?search=${index}`);
      const page = cache.find(`/sounds?search=${index}`);
      if (page) {
        await page.encode('br');
        cache.resized(page);
      }
    }
    expect(cache.byteSize).toBeGreaterThan(100_000);
    expect(cache.byteSize).toBeLessThanOrEqual(300_000);
  });

  test('lets pages that do not exist push out none that does', async () => {
    const { get, rendered, state } = makeCache({ maxBytes: 300_000 });
    await get('/sounds');
    Object.assign(state, { status: 404, text: 'x'.repeat(5_000) });
    for (let index = 0; index < 200; index += 1) await get(`/nope-${index}`);
    rendered.length = 0;
    await get('/sounds');
    expect(rendered).toEqual([]);
  });

  test('renders every time when it has no bytes', async () => {
    const { get, rendered } = makeCache({ maxBytes: 0 });
    await get('/');
    await get('/');
    expect(rendered).toHaveLength(2);
  });
});

describe('page', () => {
  const page = (text: string, init: ResponseInit = {}) => toPage(toHtml(text, init), []);
  const headersOf = (raw: readonly string[]) =>
    Object.fromEntries(raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1]]] : [])));

  test('is compressed once for all who ask at the same time', async () => {
    const large = await page('音'.repeat(5_000));
    const [one, two] = await Promise.all([large.encode('br'), large.encode('br')]);
    expect(one).toBe(two);
    expect(one.body.byteLength).toBeLessThan(500);
    expect(headersOf(one.headers)).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' });
  });

  test('stays as it is when small', async () => {
    const small = await page('short');
    expect(await small.encode('br')).toBe(small.variants.identity);
  });

  test('says its character set, and forbids frames beside the policy it came with', async () => {
    const { variants } = await page('x', { headers: { 'content-security-policy': "script-src 'self';" } });
    expect(headersOf(variants.identity.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "script-src 'self'; frame-ancestors 'none'",
    });
  });

  test('gets a strict policy when it came without', async () => {
    const { variants } = await page('x');
    expect(headersOf(variants.identity.headers)['content-security-policy']).toMatch(
      /^default-src 'self';.*frame-ancestors 'none'/,
    );
  });

  test('has the same tag for the same content alone', async () => {
    expect((await page('a')).etag).toBe((await page('a')).etag);
    expect((await page('a')).etag).not.toBe((await page('b')).etag);
    expect((await page('a', { headers: { 'content-language': 'ja' } })).etag).not.toBe(
      (await page('a')).etag,
    );
  });
});
