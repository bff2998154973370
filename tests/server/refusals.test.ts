import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '#server/platform/http/access.ts';
import { type World, DECLARATIONS, createWorld, toSample, toSampleInit } from '#support/http/calls.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';

/** The English messages that spec §5 and §8 quote. */
const OF_THE_SPEC: ReadonlySet<string> = new Set([
  'Username is required',
  'Email is required',
  'Invalid email format',
  'Password is required',
  'Password must be at least 8 characters long',
  'You must accept the terms and conditions',
]);
const JAPANESE = /[\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Han}]/u;
/** What a library says of a value without a text of ours. */
const OF_A_LIBRARY = /invalid|expected|received|undefined|\bnull\b|NaN|\[object/i;

const TEXTS = ['', ' ', '\0', 'zzz', '-1', '0', '1.5', '9'.repeat(30), 'あ'.repeat(11_000)];
const VALUES = [
  null,
  true,
  -1,
  0,
  1.5,
  1e300,
  [],
  [1],
  [{}],
  ['zzz'],
  Array.from({ length: 200 }, () => 'a'),
  {},
  { a: 1 },
  ...TEXTS,
];

type Refused = Pick<RequestInit, 'body'> & { readonly query?: string; readonly type?: string };

/** Calls with one wrong, missing or oversized part each. */
function toRefused({ body, form, query }: Access): Refused[] {
  const calls: Refused[] = [];
  for (const name of Object.keys(query === undefined ? {} : (toSample(query) as object)))
    for (const value of TEXTS) calls.push({ query: new URLSearchParams([[name, value]]).toString() });
  if (body !== undefined) {
    const sample = toSample(body) as Record<string, unknown>;
    const send = (value: unknown) => calls.push({ body: JSON.stringify(value), type: 'application/json' });
    for (const name of Object.keys(sample)) {
      const { [name]: _, ...others } = sample;
      send(others);
      for (const value of VALUES) send({ ...sample, [name]: value });
    }
    for (const value of [{}, [], null, { unknown: 1 }]) send(value);
    calls.push({ body: '{', type: 'application/json' }, { body: 'a=b', type: 'text/plain' });
  }
  const names = [...(form?.texts ?? []), ...(form?.files ?? [])];
  const sendForm = (parts: Parameters<typeof toFormBytes>[0]) =>
    calls.push({ body: toFormBytes(parts) as BodyInit, type: FORM_TYPE });
  for (const name of names) {
    for (const content of TEXTS) {
      sendForm([{ name, content }]);
      sendForm([{ name, content, filename: 'a.mp3' }]);
    }
    sendForm([
      { name, content: '1' },
      { name, content: '2' },
    ]);
  }
  if (form !== undefined) {
    sendForm([]);
    sendForm([{ name: 'unknown', content: '1' }]);
    calls.push({ body: '{}', type: 'application/json' });
  }
  return calls;
}

describe('refused calls', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(await openTestDatabase('sqlite'));
  });
  afterAll(() => world.close());

  test.each(DECLARATIONS.map((access) => [`${access.method} ${access.path}`, access] as const))(
    'W23 of %s are explained in Japanese, or in a text of the specification',
    async (_, access) => {
      const isStaffs = access.caller.startsWith('staff');
      const init = toSampleInit(access);
      const path = await world.toPath(access, 'visible');
      const messages = new Set<string>();
      for (const { query = '', type, body = init.body } of [{}, ...toRefused(access)] as Refused[]) {
        const headers = {
          ...(await world.toHeaders(isStaffs ? 'staff' : 'owner')),
          ...init.headers,
          ...(type !== undefined && { 'content-type': type }),
        };
        const hasBody = access.method !== 'GET';
        const response = await world.api.app.request(query === '' ? path : `${path}?${query}`, {
          method: access.method,
          headers,
          ...(hasBody && { body: body ?? null }),
        });
        const text = await response.text();
        expect(response.status, text).toBeLessThan(500);
        if (response.status < 400 || text === '') continue;
        const { code: __, ...fields } = JSON.parse(text) as Record<string, string>;
        for (const message of Object.values(fields)) messages.add(message);
      }
      const foreign = [...messages].filter(
        (text) => !OF_THE_SPEC.has(text) && (!JAPANESE.test(text) || OF_A_LIBRARY.test(text)),
      );
      expect(foreign).toEqual([]);
    },
    60_000,
  );
});
