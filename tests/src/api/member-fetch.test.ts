// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '#contract/calls/endpoint.ts';
import { getProfile, updateProfile } from '#contract/accounts/profile.ts';
import type { ApiError } from '#contract/calls/errors.ts';
import { listGenres } from '#contract/sounds/genres.ts';
import { toggleFavorite } from '#contract/sounds/sounds.ts';
import { updateCacheMode } from '#src/browser/own-changes.ts';
import { useStores } from '../support/stores.ts';

/** A host that accepts one access token, and exchanges one refresh token for the next. */
class Host {
  access = 'access-2';
  refresh = 'refresh-1';
  /** The answer to the renewal call. */
  renewal: () => Response | Promise<Response> = () =>
    Response.json({ access: this.access, refresh: 'refresh-2' });
  readonly calls: { path: string; headers: Headers; body: unknown; cache: RequestCache | undefined }[] = [];

  fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    const path = String(input);
    const headers = new Headers(init.headers);
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    this.calls.push({ path, headers, body, cache: init.cache });
    await Promise.resolve();
    if (path.endsWith('/api/account/token/refresh/')) return this.renewal();
    if (headers.get('authorization') !== `Bearer ${this.access}`) {
      return Response.json({ detail: 'expired' }, { status: 401 });
    }
    return Response.json({ username: 'somebody' });
  };

  renewals() {
    return this.calls.filter(({ path }) => path.includes('/token/refresh/'));
  }
}

let host: Host;
let callApi: typeof import('#src/api/browser.ts').callApi;
let refused: number;
const countRefusals = () => (refused += 1);

/** The modules of a separate tab. */
async function openTab() {
  vi.resetModules();
  return (await import('#src/api/browser.ts')).callApi;
}

useStores({ clock: { toFake: ['setTimeout', 'clearTimeout'] } });
beforeEach(async () => {
  document.cookie = 'XSRF-TOKEN=; max-age=0';
  host = new Host();
  refused = 0;
  vi.stubGlobal('fetch', host.fetch);
  vi.stubGlobal('navigator', { locks: makeLocks() });
  document.addEventListener('session:refused', countRefusals);
  callApi = await openTab();
});

afterEach(() => document.removeEventListener('session:refused', countRefusals));

/** Web Locks, which this document lacks: one holder at a time, in order. */
function makeLocks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request<Result>(_: string, __: LockOptions, work: () => Promise<Result>): Promise<Result> {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}

function logIn(access = 'access-1') {
  localStorage.setItem('token', access);
  localStorage.setItem('refresh', 'refresh-1');
  localStorage.setItem('auth', JSON.stringify({ isAuthenticated: true, user: { username: 'somebody' } }));
}

describe('a call', () => {
  it('carries the bearer token of a member, and none for a visitor', async () => {
    await expect(callApi(getProfile)).rejects.toMatchObject({ name: 'ApiError', status: 401 });
    expect(host.calls[0]?.headers.has('authorization')).toBe(false);
    expect(host.renewals()).toHaveLength(0);
    logIn('access-2');
    await callApi(getProfile);
    expect(host.calls[1]?.headers.get('authorization')).toBe('Bearer access-2');
  });

  it('sends the CSRF cookie in its header to its own host only', async () => {
    logIn('access-2');
    document.cookie = 'XSRF-TOKEN=abc-123';
    await callApi(getProfile);
    expect(host.calls[0]?.headers.get('x-xsrf-token')).toBe('abc-123');
    document.head.innerHTML = '<meta name="api-origin" content="https://api.example">';
    callApi = await openTab();
    await callApi(getProfile);
    expect(host.calls[1]?.path).toBe('https://api.example/api/account/profile/');
    expect(host.calls[1]?.headers.has('x-xsrf-token')).toBe(false);
    document.head.innerHTML = '';
  });
});

/** All calls of the contract. */
const ENDPOINTS = Object.values(
  import.meta.glob<Record<string, unknown>>('../../../contract/**/*.ts', { eager: true }),
)
  .flatMap((exports) => Object.values(exports))
  .filter((value): value is Endpoint => Object(value) === value && 'refuses' in (value as object));

describe('the browser’s HTTP cache', () => {
  beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());

  it('neither answers nor stores any call of a member, whatever a host allows', async () => {
    expect(ENDPOINTS.length).toBeGreaterThan(100);
    logIn('access-2');
    for (const endpoint of ENDPOINTS) {
      const params = Object.fromEntries(endpoint.params.map((name) => [name, 'x']));
      await callApi(endpoint, { params }).catch(() => undefined);
    }
    const cached = host.calls.filter(({ cache }) => cache !== 'no-store').map(({ path }) => path);
    expect(cached).toEqual([]);
    expect(new Set(host.calls.map(({ path }) => path)).size).toBeGreaterThan(80);
  });

  it('serves the call that is repeated with a new token as little', async () => {
    logIn();
    await callApi(getProfile);
    expect(host.calls.filter(({ path }) => path.includes('/profile/')).map(({ cache }) => cache)).toEqual([
      'no-store',
      'no-store',
    ]);
  });

  it('may serve visitors, and a former member who has logged out', async () => {
    await callApi(listGenres).catch(() => undefined);
    logIn('access-2');
    await callApi(listGenres).catch(() => undefined);
    localStorage.clear();
    await callApi(listGenres).catch(() => undefined);
    expect(host.calls.map(({ cache }) => cache)).toEqual([undefined, 'no-store', undefined]);
  });

  it('is not asked by calls with files: none of them is a GET', () => {
    expect(ENDPOINTS.filter(({ form, method }) => form && method === 'GET')).toEqual([]);
  });
});

describe('pages after a member’s own change', () => {
  beforeEach(
    () =>
      void (window.early = { presses: [], queuePress: () => undefined, mark() {}, toRedirect: () => null }),
  );
  afterEach(() => void delete window.early);
  const isCurrent = () => (updateCacheMode(), window.early?.cache === 'no-cache');

  it('are fetched anew for five minutes, by all tabs', async () => {
    logIn('access-2');
    await callApi(getProfile);
    expect(isCurrent()).toBe(false);
    await callApi(updateProfile, { body: { bio: 'x' } });
    expect(isCurrent()).toBe(true);
    expect(localStorage.getItem('changed')).toMatch(/^\d+$/);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 300_000);
    expect(isCurrent()).toBe(false);
  });

  it('come from the cache after calls that pages do not show, refusals, and those of a visitor', async () => {
    await callApi(updateProfile, { body: { bio: 'x' } }).catch(() => undefined);
    logIn('access-2');
    await callApi(toggleFavorite, { params: { id: '7' } }).catch(() => undefined);
    logIn('access-0');
    host.renewal = () => Response.json({}, { status: 500 });
    await callApi(updateProfile, { body: { bio: 'x' } }).catch(() => undefined);
    expect(isCurrent()).toBe(false);
  });
});

describe('an access token that has expired', () => {
  it('is renewed once for ten concurrent calls, and each of them succeeds', async () => {
    logIn();
    const replies = await Promise.all(Array.from({ length: 10 }, () => callApi(getProfile)));
    expect(replies.map(({ username }) => username)).toEqual(Array(10).fill('somebody'));
    expect(host.renewals().map(({ body }) => body)).toEqual([{ refresh: 'refresh-1' }]);
    expect(host.renewals()[0]?.headers.has('authorization')).toBe(false);
    expect(localStorage.getItem('token')).toBe('access-2');
    expect(localStorage.getItem('refresh')).toBe('refresh-2');
    expect(host.calls).toHaveLength(21);
  });

  it.each([
    [
      'denies access to Web Locks',
      { locks: { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) } },
    ],
    ['has no Web Locks', {}],
  ])('is renewed once where the browser %s', async (_, navigator) => {
    vi.stubGlobal('navigator', navigator);
    logIn();
    const replies = await Promise.all([callApi(getProfile), callApi(getProfile)]);
    expect(replies.map(({ username }) => username)).toEqual(['somebody', 'somebody']);
    expect(host.renewals()).toHaveLength(1);
  });

  it('is renewed once for two tabs', async () => {
    logIn();
    const otherTab = await openTab();
    await Promise.all([callApi(getProfile), otherTab(getProfile), callApi(getProfile), otherTab(getProfile)]);
    expect(host.renewals()).toHaveLength(1);
  });

  it('keeps the refresh token where the host sends no new one', async () => {
    logIn();
    host.renewal = () => Response.json({ access: 'access-2' });
    await callApi(getProfile);
    expect(localStorage.getItem('refresh')).toBe('refresh-1');
  });

  it('repeats a call at most once', async () => {
    logIn();
    host.renewal = () => Response.json({ access: 'access-of-another' });
    await expect(callApi(getProfile)).rejects.toMatchObject({ status: 401 });
    expect(host.calls).toHaveLength(3);
    expect(localStorage.getItem('token')).toBe('access-of-another');
  });
});

describe('a renewal', () => {
  it.each([401, 400])('that is refused with %d ends the session', async (status) => {
    logIn();
    host.renewal = () => Response.json({ detail: 'no' }, { status });
    const calls = await Promise.allSettled([callApi(getProfile), callApi(getProfile)]);
    expect(calls.map((call) => call.status === 'rejected' && (call.reason as ApiError).status)).toEqual([
      401, 401,
    ]);
    expect(host.renewals()).toHaveLength(1);
    expect(localStorage.length).toBe(0);
    expect(refused).toBe(1);
  });

  it('that is refused removes a private sound from the stored player state', async () => {
    logIn();
    const card = { title: '秘密', artist: '', thumbnail: null, wave: '', durationSec: 1 };
    const track = { id: 'a', src: '/a.mp3', isPrivate: true, ...card };
    localStorage.setItem('player:queue', JSON.stringify([track]));
    localStorage.setItem('player:track', 'a');
    host.renewal = () => Response.json({ detail: 'no' }, { status: 401 });
    await expect(callApi(getProfile)).rejects.toMatchObject({ status: 401 });
    expect(localStorage.length).toBe(0);
  });

  it.each([
    ['answers 500', () => Response.json({}, { status: 500 })],
    ['answers 503', () => Response.json({ detail: 'down' }, { status: 503 })],
    ['answers 429', () => Response.json({}, { status: 429, headers: { 'retry-after': '9' } })],
    ['answers nonsense', () => new Response('<html>')],
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('whose host %s ends no session', async (_, renewal) => {
    logIn();
    host.renewal = renewal;
    const call = callApi(getProfile).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    const error = await call;
    expect(error).toMatchObject({ name: 'ApiError' });
    expect((error as ApiError).status).not.toBe(401);
    expect(localStorage.getItem('token')).toBe('access-1');
    expect(localStorage.getItem('refresh')).toBe('refresh-1');
    expect(localStorage.getItem('auth')).toContain('somebody');
    expect(refused).toBe(0);
  });

  it('works again when the host is back', async () => {
    logIn();
    let isDown = true;
    host.renewal = () =>
      isDown
        ? Response.json({}, { status: 503 })
        : Response.json({ access: 'access-2', refresh: 'refresh-2' });
    const call = callApi(getProfile);
    await vi.advanceTimersByTimeAsync(500);
    isDown = false;
    await vi.runAllTimersAsync();
    expect((await call).username).toBe('somebody');
  });

  it('does not restore a session that ended in the meantime', async () => {
    logIn();
    host.renewal = () => {
      localStorage.clear();
      return Response.json({ access: 'access-2', refresh: 'refresh-2' });
    };
    await expect(callApi(getProfile)).rejects.toMatchObject({ status: 401 });
    expect(localStorage.length).toBe(0);
  });
});

describe('a change for which the host requires the password', () => {
  const change = () => callApi(updateProfile, { body: { name: '新しい氏名' } });
  let isRecent: boolean;
  let refusal: unknown;
  let prompts: ((isGiven: boolean) => void)[];

  beforeEach(async () => {
    logIn('access-2');
    isRecent = false;
    refusal = { detail: 'もう一度', code: 'recent_login_required' };
    prompts = [];
    const { fetch } = host;
    vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const reply = await fetch(input, init);
      return init.method === 'PATCH' && !isRecent ? Response.json(refusal, { status: 403 }) : reply;
    });
    const { setPasswordPrompt } = await import('#src/browser/password-prompt.ts');
    setPasswordPrompt(() => new Promise((resolve) => prompts.push(resolve)));
  });
  const changes = () => host.calls.filter(({ body }) => JSON.stringify(body) === '{"name":"新しい氏名"}');
  const answer = (isGiven: boolean) => {
    isRecent = isGiven;
    prompts[0]?.(isGiven);
  };

  it('is repeated after the password; concurrent changes share one question', async () => {
    const calls = [change(), change(), change()];
    await vi.waitFor(() => expect(changes()).toHaveLength(3));
    await vi.waitFor(() => expect(prompts).toHaveLength(1));
    answer(true);
    await Promise.all(calls);
    expect(prompts).toHaveLength(1);
    expect(changes()).toHaveLength(6);
  });

  it('is cancelled without a message when the password is not given; the next change asks again', async () => {
    const first = change();
    await vi.waitFor(() => expect(prompts).toHaveLength(1));
    answer(false);
    await expect(first).rejects.toMatchObject({ name: 'ApiError', kind: 'cancelled', fields: [] });
    expect(changes()).toHaveLength(1);
    void change().catch(() => undefined);
    await vi.waitFor(() => expect(prompts).toHaveLength(2));
  });

  it('fails as without a connection when the prompt cannot load', async () => {
    const { setPasswordPrompt } = await import('#src/browser/password-prompt.ts');
    setPasswordPrompt(() => Promise.reject(new Error('offline')));
    await expect(change()).rejects.toMatchObject({ name: 'ApiError', status: 0, kind: 'unavailable' });
    expect(changes()).toHaveLength(1);
  });

  it('is repeated only once, even if the host refuses again', async () => {
    const call = change();
    await vi.waitFor(() => expect(prompts).toHaveLength(1));
    prompts[0]?.(true);
    await expect(call).rejects.toMatchObject({ status: 403, kind: 'refused' });
    expect(changes()).toHaveLength(2);
    expect(prompts).toHaveLength(1);
  });

  it.each([{ detail: 'forbidden' }, { detail: 'no', code: 'blocked' }, null])(
    'does not ask where a host refuses for another reason: %j',
    async (reply) => {
      refusal = reply;
      await expect(change()).rejects.toMatchObject({ status: 403, kind: 'refused' });
      expect(prompts).toHaveLength(0);
    },
  );
});
