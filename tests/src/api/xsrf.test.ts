// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const HOST = 'https://api.test';
let findXsrfToken: typeof import('#src/api/xsrf.ts').findXsrfToken;
let asked: { url: string; token: string | null }[];
/** Whether the host's CORS rules allow the header, and whether it answers at all. */
let isAllowed: boolean;
let isThere: boolean;

beforeEach(async () => {
  vi.resetModules();
  asked = [];
  isAllowed = true;
  isThere = true;
  document.head.innerHTML = `<meta name="api-origin" content="${HOST}">`;
  document.cookie = 'XSRF-TOKEN=a%3Db; path=/';
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
    const token = headers['x-xsrf-token'] ?? null;
    asked.push({ url, token });
    if (!isThere || (token !== null && !isAllowed)) throw new TypeError('Failed to fetch');
    return Response.json({}, { status: 404 });
  });
  ({ findXsrfToken } = await import('#src/api/xsrf.ts'));
});
afterEach(() => {
  document.cookie = 'XSRF-TOKEN=; path=/; max-age=0';
  vi.unstubAllGlobals();
});

describe('the CSRF token of a readable cookie', () => {
  it('is sent to the page’s own host with every call', async () => {
    expect(await findXsrfToken('/api/sounds/')).toBe('a=b');
    expect(await findXsrfToken('/api/sounds/', 'POST')).toBe('a=b');
    expect(asked).toEqual([]);
  });

  it('S12 is the last of several: those that a sibling host has added for a longer path come first', async () => {
    const cookies = vi.spyOn(document, 'cookie', 'get');
    cookies.mockReturnValue('XSRF-TOKEN=tossed; a=b; XSRF-TOKEN=own; c=d');
    expect(await findXsrfToken('/api/sounds/', 'POST')).toBe('own');
    cookies.mockRestore();
  });

  it('is sent to another API host with changes, after one check that it allows the header', async () => {
    expect(await findXsrfToken(`${HOST}/api/sounds/1/toggle-favorite`, 'POST')).toBe('a=b');
    expect(await findXsrfToken(`${HOST}/api/sounds/1/`, 'DELETE')).toBe('a=b');
    expect(asked).toEqual([{ url: `${HOST}/api/site-config`, token: 'a=b' }]);
  });

  it('is not sent where the host does not allow the header: the cookie is not its own', async () => {
    isAllowed = false;
    expect(await findXsrfToken(`${HOST}/api/sounds/1/`, 'PATCH')).toBeUndefined();
    expect(await findXsrfToken(`${HOST}/api/sounds/1/`, 'PATCH')).toBeUndefined();
    expect(asked.map(({ token }) => token)).toEqual(['a=b', null]);
  });

  it('is checked again after a host did not answer', async () => {
    isThere = false;
    expect(await findXsrfToken(`${HOST}/api/sounds/1/`, 'PATCH')).toBeUndefined();
    isThere = true;
    expect(await findXsrfToken(`${HOST}/api/sounds/1/`, 'PATCH')).toBe('a=b');
  });

  it.each([
    ['with reads', `${HOST}/api/sounds/`, 'GET'],
    ['to third hosts', 'https://files.test/api/', 'POST'],
    ['to a host whose name begins alike', `${HOST}.evil.test/api/`, 'POST'],
  ])('is not sent %s', async (_, url, method) => {
    expect(await findXsrfToken(url, method)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('causes no check where there is none', async () => {
    document.cookie = 'XSRF-TOKEN=; path=/; max-age=0';
    expect(await findXsrfToken(`${HOST}/api/sounds/1/`, 'POST')).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
