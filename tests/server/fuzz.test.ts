import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Access } from '#server/platform/http/access.ts';
import { DECLARATIONS, SECRET, createWorld, toSample, toSampleInit } from '#support/http/calls.ts';
import type { Role, World } from '#support/http/calls.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { SEED, depth } from '#support/depth.ts';
import { BOUNDARY, FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

/** Requests for each route: `npm run soak` sends 600. */
const RUNS = depth(20, 600);
const PROCESSOR_MS_MAX = 2_000;
const INTERNALS =
  /\bat [\w.<>]+ ?\(|\.ts:\d+|node_modules|SQLITE_|SqliteError|syntax error|\bselect\b.*\bfrom\b/i;

interface HostileCall {
  readonly role: Role;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: BodyInit | undefined;
}

const hostileText = fc.oneof(
  fc.constantFrom('\0', 'a\0b', '\ud800', 'x'.repeat(300), ''),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e',
    '\ufeff',
    '-1',
    '1e308',
    '9007199254740993',
    '99999999999999999999999',
    'NaN',
    '0x10',
    '../../../etc/passwd',
    `' or '1'='1`,
    '"; drop table users; --',
    '%s%n%x',
    '__proto__',
    'constructor',
    '\r\nset-cookie: a=b',
    'x'.repeat(300),
    'あ'.repeat(11_000),
    '﷽'.repeat(150),
    '<script>alert(1)</script>',
    'a@b.example',
    'owner',
    '1',
    'true',
    '2026-13',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const hostileValue = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 1e308, -1e308, 2 ** 53, 2 ** 63, [], {}, [
      null,
    ]),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Bytes that are not a JSON object, or form an unusual one. */
const oddBodies: readonly BodyInit[] = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '1e999',
  '{"a":1}{"a":1}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  '{"email":"a@b.example","email":{"a":1},"password":"x","password":[]}',
  '{"__proto__":{"isStaff":true},"constructor":{"prototype":{"x":1}}}',
  `{"text":"${'x'.repeat(70_000)}"}`,
  '{"text":"\\ud800","artist_username":"\\u0000"}',
  Uint8Array.of(0xff, 0xfe, 0x00, 0x7b),
  Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
];
const oddForms: readonly BodyInit[] = [
  toFormBytes([{ name: 'file', filename: 'a.mp3', content: 'x' }], false) as BodyInit,
  toFormBytes([{ filename: 'a.mp3', content: 'x' }]) as BodyInit,
  toFormBytes([{ name: '__proto__', content: 'x' }]) as BodyInit,
  toFormBytes([
    { header: 'Content-Disposition: form-data; name="types"; name="file"; filename=' },
  ]) as BodyInit,
  toFormBytes([{ header: `X: ${'y'.repeat(20_000)}` }]) as BodyInit,
  toFormBytes(Array.from({ length: 30 }, () => ({ name: 'types', content: '1' }))) as BodyInit,
  `--${BOUNDARY}--\r\n`,
  `--${BOUNDARY}`,
];
const contentType = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/offset+octet-stream',
  FORM_TYPE,
  'multipart/form-data',
  `multipart/form-data; boundary=${'x'.repeat(200)}`,
  'multipart/form-data; boundary=""',
  '',
);
const oddHeaders = fc.dictionary(
  fc.constantFrom(
    'idempotency-key',
    'upload-length',
    'upload-offset',
    'upload-metadata',
    'upload-defer-length',
    'tus-resumable',
    'range',
    'if-none-match',
    'accept',
    'accept-encoding',
    'content-encoding',
    'x-http-method-override',
    'x-original-url',
    'x-request-id',
    'x-xsrf-token',
  ),
  fc.oneof(
    fc.constantFrom(
      '',
      '-1',
      '0',
      '5',
      '1e3',
      '99999999999999999999',
      'bytes=0-,5-',
      '*',
      'gzip',
      '1.0.0',
      'filename ',
    ),
    fc.string({ maxLength: 300 }).map((text) => text.replace(/[^\x20-\x7e]/g, '').trim()),
  ),
  { maxKeys: 3 },
);

/** A path segment, percent-encoded or invalid. */
const pathPart = fc.oneof(
  { weight: 4, arbitrary: hostileText.map((text) => encodeURIComponent(text.toWellFormed())) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '%',
      '%ff',
      '%00',
      '%c0%ae',
      '%2e%2e',
      '..',
      '%2F',
      '%u0041',
      ';x',
      '*',
      ':id',
    ),
  },
);
const queryText: fc.Arbitrary<[name: string, value: string][]> = fc.array(
  fc.tuple(
    fc.oneof(
      fc.constantFrom('page', 'search', 'user', 'ids', 'log', 'month', 'year', '%', '__proto__', '%00'),
      hostileText,
    ),
    fc.oneof(
      hostileText.map((text) => encodeURIComponent(text.toWellFormed())),
      fc.constantFrom('%', '%ff', '&&=='),
    ),
  ),
  { maxLength: 4 },
);

/** A valid body of the route with some fields replaced, removed or added. */
function toMutatedBody({ body }: Access): fc.Arbitrary<BodyInit> {
  const sample = (body === undefined ? {} : toSample(body)) as Record<string, unknown>;
  const entries = Object.keys(sample).map((key) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constant([[key, sample[key]]]) },
      { weight: 3, arbitrary: hostileValue.map((value) => [[key, value]]) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
  );
  const extra = fc.array(fc.tuple(hostileText, hostileValue), { maxLength: 2 });
  return fc
    .tuple(extra, ...entries)
    .map((parts) => JSON.stringify(Object.fromEntries(parts.flat() as [string, unknown][])));
}

/** A valid form of the route with some texts replaced, repeated or removed. */
function toMutatedForm({ form }: Access): fc.Arbitrary<BodyInit> {
  const names = [...(form?.texts ?? []), ...(form?.files ?? [])];
  const part = fc.record({
    name: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...names) },
      { weight: 1, arbitrary: hostileText },
    ),
    content: hostileText,
    filename: fc.option(fc.constantFrom('a.mp3', '', '../../a.png', '\0', 'あ.m4a', 'x'.repeat(500)), {
      nil: undefined,
    }),
  });
  return fc.array(part, { maxLength: 8 }).map((parts) => {
    const given = parts.map(({ name, content, filename }) => ({
      name,
      content,
      ...(filename !== undefined && { filename }),
    }));
    return toFormBytes(given) as BodyInit;
  });
}

function toCalls(access: Access, validPath: string): fc.Arbitrary<HostileCall> {
  const parts = access.path.split('/');
  const oddPath = fc
    .array(pathPart, { minLength: parts.length, maxLength: parts.length })
    .map((values) => parts.map((part, index) => (part.startsWith('{') ? values[index] : part)).join('/'));
  const sampleInit = toSampleInit(access);
  const valid = access.form ? toMutatedForm(access) : toMutatedBody(access);
  const oddBody = fc.oneof(
    { weight: 4, arbitrary: valid },
    { weight: 1, arbitrary: fc.constantFrom(...oddBodies, ...oddForms) },
  );
  const validType = sampleInit.headers['content-type'] ?? 'application/json';
  const method = access.method === 'GET' && access.path.startsWith('/api/uploads/') ? 'HEAD' : access.method;
  const otherMethod = fc.constantFrom('GET', 'PUT', 'PATCH', 'DELETE', 'POST', 'OPTIONS', 'PROPFIND');
  // Usually changes one part of a call, since the first error ends it, and sometimes all of them.
  const places = ['body', 'query', 'headers', 'type', 'method', 'everything', 'body', 'query'] as const;
  const focus = fc.constantFrom(
    ...places,
    ...(access.path.includes('{') ? (['path', 'path', 'path'] as const) : []),
  );
  return focus
    .chain((place) => {
      const at = <Value>(name: typeof place, odd: fc.Arbitrary<Value>, usual: Value) =>
        place === name || place === 'everything' ? odd : fc.constant(usual);
      return fc.record({
        role: fc.constantFrom<Role>('owner', 'owner', 'verified', 'visitor', 'unverified'),
        path: at('path', oddPath, validPath),
        body: at('body', oddBody, sampleInit.body),
        type: at('type', contentType, validType),
        query: at('query', queryText, []),
        headers: at('headers', oddHeaders, {}),
        method: at('method', otherMethod, method),
      });
    })
    .map(({ role, path, body, type, query, headers, method }) => {
      const search = query.map(
        ([name, value]) => `${name.includes('%') ? name : encodeURIComponent(name.toWellFormed())}=${value}`,
      );
      const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
      return {
        role,
        method,
        path: search.length === 0 ? path : `${path}?${search.join('&')}`,
        headers: { ...sampleInit.headers, ...(hasBody && { 'content-type': type }), ...headers },
        body: hasBody ? body : undefined,
      };
    });
}

describe.each(bothDatabases)('hostile requests on $name to', ({ open }) => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld(await open());
  });
  afterAll(() => world.close());

  /** Expects JSON, in one shape for refusals, and no internals of the program. */
  async function check(call: HostileCall): Promise<void> {
    const { role, method, path, headers, body } = call;
    const logged = world.api.logged.length;
    const all = { ...(await world.toHeaders(role)), ...headers };
    const init = { method, headers: all, ...(body !== undefined && { body }) };
    let response = new Response();
    let text = '';
    const tookMs = await measureProcessorMs(async () => {
      response = await world.api.app.request(path, init);
      text = await response.text();
    });
    expect(tookMs).toBeLessThan(PROCESSOR_MS_MAX);
    expect(response.status, text).toBeLessThan(500);
    expect(text).not.toMatch(INTERNALS);
    for (const secret of [SECRET, all['authorization'] ?? SECRET]) expect(text).not.toContain(secret);
    const lines = world.api.logged.slice(logged);
    expect(lines.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
    const isPage = response.ok && path.startsWith('/api/docs');
    const type = isPage ? /^text\/html; charset=utf-8$/ : /^application\/json/;
    if (text !== '') expect(response.headers.get('content-type')).toMatch(type);
    if (response.status < 400 || text === '') return;
    const fields = Object.entries(JSON.parse(text) as object);
    expect(fields.length).toBeGreaterThan(0);
    for (const [, reason] of fields) expect(reason).toBeTypeOf('string');
    expect(response.headers.get('cache-control')).toContain('no-store');
  }

  test.each(DECLARATIONS.map((access) => [`${access.method} ${access.path}`, access] as const))(
    '%s are answered with little work, without a failure or a secret',
    async (_, access) => {
      const validPath = await world.toPath(access, 'visible');
      await fc.assert(fc.asyncProperty(toCalls(access, validPath), check), { numRuns: RUNS, seed: SEED });
    },
    RUNS * 1_000,
  );
});
