import { createHmac, generateKeyPairSync } from 'node:crypto';
import { SignJWT, exportSPKI } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { useApiOnce } from '#support/http/use-api.ts';
import { addMember, isAccepted } from '#support/members/accounts.ts';
import { ruleDatabases } from '#support/databases/databases.ts';

/** The secret that createTestApi signs with. */
const SECRET = new Uint8Array(32).fill(7);
const HEADER = { alg: 'HS256', typ: 'at+jwt' };
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe.each(ruleDatabases)('access tokens on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let claims: Record<string, unknown>;
  let now: number;

  beforeAll(async () => {
    const userId = await addMember(database, '音の人', 'member@example.test');
    const [, payload = ''] = (await api.logIn(userId)).split('.');
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    now = Math.floor(api.clock.now() / 1_000);
  });

  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  /** A token with the given header and claims and a valid HS256 signature under `secret`. */
  function forge(
    header: object,
    changes: object = {},
    secret: Uint8Array | string = SECRET,
    hash = 'sha256',
  ) {
    const body = `${encode(header)}.${encode({ ...claims, ...changes })}`;
    return `${body}.${createHmac(hash, secret).update(body).digest('base64url')}`;
  }

  test('are accepted when they are made like those of the server', async () => {
    expect(await isAccepted(api, forge(HEADER))).toBe(true);
  });

  const cases: [what: string, make: () => string | Promise<string>][] = [
    ['alg none', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode(claims)}.`],
    ['alg None', () => `${encode({ alg: 'None', typ: 'at+jwt' })}.${encode(claims)}.`],
    ['alg none with a signature', () => forge({ alg: 'none', typ: 'at+jwt' })],
    ['no alg', () => forge({ typ: 'at+jwt' })],
    ['an empty signature', () => `${forge(HEADER).split('.').slice(0, 2).join('.')}.`],
    ['no signature', () => forge(HEADER).split('.').slice(0, 2).join('.')],
    ['HS512 under our secret', () => forge({ ...HEADER, alg: 'HS512' }, {}, SECRET, 'sha512')],
    ['HS384 under our secret', () => forge({ ...HEADER, alg: 'HS384' }, {}, SECRET, 'sha384')],
    ['another secret', () => forge(HEADER, {}, new Uint8Array(32).fill(8))],
    ['an empty secret', () => forge(HEADER, {}, '')],
    ['a public key as secret', async () => forge(HEADER, {}, await exportSPKI(publicKey))],
    [
      'a key pair of its own',
      () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt' }).sign(privateKey),
    ],
    ['another audience', () => forge(HEADER, { aud: 'another-api' })],
    ['no audience', () => forge(HEADER, { aud: undefined })],
    ['another issuer', () => forge(HEADER, { iss: 'https://evil.example' })],
    ['no issuer', () => forge(HEADER, { iss: undefined })],
    ['type JWT', () => forge({ ...HEADER, typ: 'JWT' })],
    ['no type', () => forge({ alg: 'HS256' })],
    ['no session', () => forge(HEADER, { sid: undefined })],
    ['a session that is no text', () => forge(HEADER, { sid: ['a'] })],
    ['another session', () => forge(HEADER, { sid: 'another' })],
    ['no subject', () => forge(HEADER, { sub: undefined })],
    ['another subject', () => forge(HEADER, { sub: 'another' })],
    ['no expiry', () => forge(HEADER, { exp: undefined })],
    ['an expiry now', () => forge(HEADER, { exp: now })],
    ['an expiry as text', () => forge(HEADER, { exp: '9999999999' })],
    ['not before a minute from now', () => forge(HEADER, { nbf: now + 60 })],
    ['no time of issue', () => forge(HEADER, { iat: undefined })],
    [
      'a key of its own',
      () => forge({ ...HEADER, jwk: { kty: 'oct', k: 'AAAA' } }, {}, Buffer.from([0, 0, 0])),
    ],
    ['the address of a key', () => forge({ ...HEADER, jku: 'http://127.0.0.1:1/keys' }, {}, 'x')],
    ['a path as key', () => forge({ ...HEADER, kid: '../../../dev/null' }, {}, '')],
    ['SQL as key', () => forge({ ...HEADER, kid: "x' union select 'k' --" }, {}, 'k')],
    ['a critical extension', () => forge({ ...HEADER, crit: ['b64'], b64: false })],
    ['a megabyte', () => forge(HEADER, { filler: 'x'.repeat(1_000_000) })],
    ['five parts', () => `${forge(HEADER)}.a.b`],
    ['claims that are no object', () => `${encode(HEADER)}.${encode('x')}.AAAA`],
  ];
  test.each(cases)('S4 are refused with %s', async (_, make) => {
    const response = await api.app.request('/api/account/profile/', {
      headers: { authorization: `Bearer ${await make()}` },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toContain('no-store');
  });

  test('S4 ignore a key in the header of a valid token', async () => {
    expect(
      await isAccepted(api, forge({ ...HEADER, kid: '../../etc/passwd', jku: 'http://127.0.0.1:1/' })),
    ).toBe(true);
  });

  test('S4 are read from the Authorization header only', async () => {
    const token = forge(HEADER);
    const path = `/api/account/profile/?access_token=${token}&token=${token}`;
    const headers = { cookie: `token=${token}; access=${token}` };
    expect((await api.app.request(path, { headers })).status).toBe(401);
  });

  test('S13 are valid for 15 minutes by the server’s clock only', async () => {
    expect(await isAccepted(api, forge(HEADER, { iat: now + 600 }))).toBe(true);
    api.clock.advance(899_000);
    expect(await isAccepted(api, forge(HEADER))).toBe(true);
    api.clock.advance(1_000);
    expect(await isAccepted(api, forge(HEADER))).toBe(false);
    api.clock.advance(-3_600_000);
    expect(await isAccepted(api, forge(HEADER))).toBe(true);
  });
});
