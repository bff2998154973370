import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { ACCESS_TOKEN_SECONDS } from '#server/platform/crypto/access-tokens.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { type TestCatalogue, fillCatalogue } from '#support/sounds/catalogue.ts';
import { deleteRows, listRows, ruleDatabases } from '#support/databases/databases.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

const WEB = 'https://web.example.test';

describe.each(ruleDatabases)('the API on $name', ({ open }) => {
  const { database, api } = useApiOnce(open, () => ({ webOrigin: WEB }));
  let catalogue: TestCatalogue;
  const sendRaw = async (body: string | Uint8Array) =>
    api.app.request('/api/contact/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? Buffer.from(body) : (body as BodyInit),
    });

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, [{ key: 'a', title: '朝の音' }]);
  });

  test.each<[query: string, field: string]>([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1e3', 'page'],
    ['page=abc', 'page'],
    ['page=', 'page'],
    ['page=1000001', 'page'],
    ['page=99999999999999999999', 'page'],
    ['page_size=0', 'page_size'],
    ['page_size=101', 'page_size'],
    ['page_size=NaN', 'page_size'],
    ['type=%00', 'type'],
    ['type=', 'type'],
    [`type=${'1'.repeat(201)}`, 'type'],
    ['sub_genres=1&sub_genres=%00', 'sub_genres'],
    [`sub_genres=${'1&sub_genres='.repeat(10)}1`, 'sub_genres'],
    ['is_ai_generated=yes', 'is_ai_generated'],
    ['include_private=1', 'include_private'],
    ['favorite=', 'favorite'],
    ['ordering=created', 'ordering'],
    ['ordering=-created;--', 'ordering'],
    ['ordering=__proto__', 'ordering'],
    [`user=${'a'.repeat(151)}`, 'user'],
    [`search=${'あ'.repeat(101)}`, 'search'],
    [`search=${'a'.repeat(10_000)}`, 'search'],
  ])('refuses %.40s, naming the field', async (query, field) => {
    const response = await api.get(`/api/sounds/?${query}`);
    expect(response.status).toBe(400);
    const body = (await response.json()) as Record<string, string>;
    expect(Object.keys(body)).toEqual([field]);
    expect(body[field]).toMatch(/[ぁ-ん]/);
  });

  test('checks the number of ids before their form, and reports the first reason', async () => {
    const bad = (count: number) => api.get(`/api/sounds/?${'ids=%00&'.repeat(count)}`);
    expect(await (await bad(100)).json()).toEqual({ ids: 'idの形式が正しくありません。' });
    expect(await (await bad(101)).json()).toEqual({ ids: 'idは100個まで指定できます。' });
  });

  test.each([
    ['200 parameters', 400, '&a'.repeat(200)],
    ['2,000 ids', 400, 'ids=%00&'.repeat(2_000)],
    ['15,000 ids', 414, 'ids=%00&'.repeat(15_000)],
    ['16 KiB', 414, 'a'.repeat(16_385)],
  ])('refuses a query of more than %s', async (_, status, query) => {
    for (const path of ['/api/sounds/', '/api/genres/', '/api/nowhere']) {
      const response = await api.get(`${path}?${query}`);
      expect(response.status, path).toBe(status);
      expect(Object.keys((await response.json()) as object)).toEqual(['detail']);
    }
  });

  test('names every invalid field', async () => {
    const response = await api.get('/api/sounds/?page=0&ordering=x');
    expect(Object.keys((await response.json()) as object).sort()).toEqual(['ordering', 'page']);
  });

  test.each([
    '__proto__=1&constructor=2&toString=3',
    '__proto__[page]=1',
    'unknown=%00&%00=1',
    'page=1&page=1',
    `search=${'あ'.repeat(100)}`,
    `search=${encodeURIComponent('﷽'.repeat(100))}`,
    `search=${encodeURIComponent('"'.repeat(100))}`,
    `search=${encodeURIComponent('a '.repeat(50))}`,
    'search=%ff%fe',
    'search=%00',
    'search=%',
    '&&&==',
    '&a'.repeat(199),
  ])('takes %.40s', async (query) => {
    const tookMs = await measureProcessorMs(async () => {
      expect((await api.get(`/api/sounds/?${query}`)).status).toBe(200);
    });
    expect(tookMs).toBeLessThan(1_000);
    expect(({} as Record<string, unknown>)['page']).toBeUndefined();
  });

  const RAW_NAME = '"name":"花子"';
  const toRaw = (name: string) => `{${name},"email":"a@b.example","message":"音"}`;
  test.each<[what: string, body: string | Uint8Array, name: string]>([
    ['of a key given twice the last value', toRaw(`"name":{"a":1},"name":"太郎",${RAW_NAME}`), '花子'],
    ['what follows a byte order mark', `\ufeff${toRaw(RAW_NAME)}`, '花子'],
    ['no NUL, and a mark for half of a character', toRaw('"name":"花\\u0000子\\ud800"'), '花子\ufffd'],
  ])('W6: reads from JSON %s', async (_, body, name) => {
    await deleteRows(database, 'contact_messages');
    expect((await sendRaw(body)).status).toBe(200);
    const kept = await listRows(database, 'contact_messages', {}, ['name']);
    expect(kept).toEqual([{ name }]);
  });

  test.each<[what: string, status: number, body: string | Uint8Array]>([
    ['two values', 400, `${toRaw(RAW_NAME)}{}`],
    ['a list', 400, `[${toRaw(RAW_NAME)}]`],
    ['deep nesting', 400, '{"name":'.repeat(7_000) + '}'.repeat(7_000)],
    ['UTF-16', 400, Buffer.from(toRaw(RAW_NAME), 'utf16le')],
    ['invalid UTF-8', 400, Buffer.from(toRaw('"name":"\xff"'), 'latin1')],
    ['more than 64 KB', 413, toRaw(`"name":"${'x'.repeat(65_536)}"`)],
  ])('W6: refuses JSON with %s', async (_, status, body) => {
    expect((await sendRaw(body)).status).toBe(status);
  });

  test('answers both spellings of a path without a redirect', async () => {
    for (const path of [
      '/api/sounds',
      '/api/sounds/',
      '/api/genres',
      '/api/genres/',
      '/api/sounds/types',
      '/api/sounds/types/',
    ]) {
      expect((await api.get(path)).status, path).toBe(200);
    }
  });

  test('answers 404 in JSON for unknown paths', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/api/sounds/nothing/',
      '/api/sounds/a/b/c',
      '/api/sounds/%00',
      '/api/sounds/%ff/',
    ]) {
      const response = await api.get(path);
      expect(response.status, path).toBe(404);
      expect(await response.json()).toEqual({ detail: '見つかりませんでした。' });
    }
  });

  test('has a request id in every reply, that of the outer server if present', async () => {
    for (const path of ['/api/sounds/', '/api/nothing', '/api/sounds/?page=0']) {
      expect((await api.get(path)).headers.get('x-request-id'), path).toMatch(/^[\w-]{8,64}$/);
    }
    const given = await api.app.request('/api/genres/', { headers: { 'x-request-id': 'abcdef-12345' } });
    expect(given.headers.get('x-request-id')).toBe('abcdef-12345');
    const odd = await api.app.request('/api/genres/', { headers: { 'x-request-id': 'a "odd" id' } });
    expect(odd.headers.get('x-request-id')).not.toBe('a "odd" id');
  });

  test('answers 401 to an invalid token, so that the client refreshes it', async () => {
    const user = catalogue.artistIds.get('音工房') ?? '';
    const good = await api.logIn(user);
    const ofGone = await api.accessTokens.sign({ userId: 'gone', sessionId: 'gone' });
    for (const header of ['Bearer', 'Bearer x', `Basic ${good}`, `Bearer ${ofGone}`]) {
      const response = await api.app.request('/api/sounds/', { headers: { authorization: header } });
      expect(response.status, header.slice(0, 60)).toBe(401);
    }
    const ask = () => api.app.request('/api/sounds/', { headers: { authorization: `Bearer ${good}` } });
    expect((await ask()).status).toBe(200);
    api.clock.advance((ACCESS_TOKEN_SECONDS + 1) * 1_000);
    expect((await ask()).status).toBe(401);
  });

  test('answers any input in time and without a failure', async () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.constantFrom(
        '1',
        '20',
        'true',
        '-downloads',
        'relevance',
        "' OR 1=1 --",
        '"',
        '雨 AND',
        'NEAR(',
        '\u0000',
        '\ud800',
      ),
    );
    const key = fc.constantFrom(
      'page',
      'page_size',
      'type',
      'user',
      'sub_genres',
      'is_ai_generated',
      'ordering',
      'search',
      'include_private',
      'favorite',
      '__proto__',
    );
    const userId = catalogue.artistIds.get('音工房');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(key, value), { maxLength: 6 }),
        fc.boolean(),
        async (pairs, isMember) => {
          const query = new URLSearchParams(
            pairs.map(([name, text]) => [name, text.toWellFormed()]),
          ).toString();
          const tookMs = await measureProcessorMs(async () => {
            const response = await api.get(`/api/sounds/?${query}`, isMember ? userId : undefined);
            expect(response.status).toBeLessThan(500);
          });
          expect(tookMs).toBeLessThan(1_000);
        },
      ),
      { numRuns: 400, seed: 7 },
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('page', 'sounds', 'account/artist'), value, async (folder, text) => {
        const response = await api.get(`/api/${folder}/${encodeURIComponent(text.toWellFormed())}/`);
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: 200, seed: 7 },
    );
    expect(api.logged).toEqual([]);
  });
});

test('reveals only the id of a failure, and logs the rest', async () => {
  const broken = new Proxy({} as Database, {
    get() {
      throw new Error('secret path /etc/otoichi');
    },
  });
  const api = createTestApi(broken);
  const response = await api.get('/api/sounds/');
  expect(response.status).toBe(500);
  expect(await response.text()).not.toMatch(/secret|at |\.ts/);
  expect(api.logged).toMatchObject([
    {
      level: 50,
      requestId: response.headers.get('x-request-id'),
      path: expect.stringMatching(/^\/api\/sounds/),
      err: { message: 'secret path /etc/otoichi' },
    },
  ]);
});

test('answers 503 with Retry-After when the database is unreachable', async () => {
  const api = createTestApi(
    new Proxy({} as Database, {
      get() {
        throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      },
    }),
  );
  const response = await api.get('/api/genres/');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('5');
});
