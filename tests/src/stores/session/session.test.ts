// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setExtended, showToast, useStores } from '../../support/stores.ts';

let session: typeof import('#src/stores/session/session.ts');
let account: typeof import('#src/stores/account/actions.ts');
let overlays: typeof import('#src/stores/overlays/overlays.ts');
let calls: { path: string; body: unknown; keepalive: boolean | undefined; bearer: string | null }[];
let navigations: string[];
let reply: () => Response;

const USER = { id: '7', username: '音の人', email: 'me@example.test', profile_picture: '/media/p/1.webp' };
const LOG_IN = { email: 'me@example.test', password: 'x' };
const NOBODY = { isAuthenticated: false, user: null, search: '', subgenres: [], type: null };
const OWN_REFRESH = `${'a'.repeat(16)}.${'b'.repeat(43)}`;
const stored = () => JSON.parse(localStorage.getItem('auth') ?? 'null') as unknown;

/** Freshly loaded modules, as after a page load. */
async function load() {
  vi.resetModules();
  session = await import('#src/stores/session/session.ts');
  account = await import('#src/stores/account/actions.ts');
  ({ navigations } = await import('../../support/router.ts'));
}

useStores({ isExtended: true });
beforeEach(async () => {
  calls = [];
  reply = () => Response.json({});
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
    const bearer = new Headers(init.headers).get('authorization');
    calls.push({ path: String(input), body, keepalive: init.keepalive, bearer });
    await Promise.resolve();
    return reply();
  });
  await load();
});

describe('logging in', () => {
  it('stores both tokens and the session under the names of the specification', async () => {
    reply = () => Response.json({ user: { ...USER, id: 7, secret: 'x' }, access: 'A', refresh: 'R' });
    await account.logIn({ email: 'me@example.test', password: 'correct horse' });
    expect(calls[0]).toMatchObject({
      path: '/api/account/login/',
      body: { email: 'me@example.test', username: '', password: 'correct horse' },
    });
    expect([localStorage.getItem('token'), localStorage.getItem('refresh')]).toEqual(['A', 'R']);
    expect(stored()).toEqual({ ...NOBODY, isAuthenticated: true, user: USER });
    expect(session.$session.get()).toEqual(stored());
  });

  it('is restored by the next page load', async () => {
    session.rememberUser(USER);
    await load();
    expect(session.$session.get()).toMatchObject({ isAuthenticated: true, user: USER });
  });

  it('accepts a reply without a user, and one whose fields are null', async () => {
    for (const user of [undefined, null, { id: 3, username: null }]) {
      reply = () => Response.json({ user, access: 'A', refresh: 'R' });
      await account.logIn(LOG_IN);
      expect(session.$session.get().isAuthenticated).toBe(true);
    }
  });

  it('sends no token of an earlier session, and a wrong password renews none', async () => {
    for (const [status, isRight] of [
      [401, false],
      [200, true],
    ] as const) {
      localStorage.setItem('token', 'stale');
      localStorage.setItem('refresh', 'stale');
      calls = [];
      reply = () => Response.json(isRight ? { user: USER, access: 'A', refresh: 'R' } : {}, { status });
      const attempt = account.logIn(LOG_IN);
      if (isRight) await attempt;
      else await expect(attempt).rejects.toMatchObject({ status });
      expect(calls.map(({ path, bearer }) => [path, bearer])).toEqual([['/api/account/login/', null]]);
      expect(navigations).toEqual([]);
    }
    expect([localStorage.getItem('token'), localStorage.getItem('refresh')]).toEqual(['A', 'R']);
  });

  it('and other calls without a session send none', async () => {
    localStorage.setItem('token', 'stale');
    await account.register({ username: 'me', email: 'me@example.test', password: 'correct horse' });
    await account.requestPasswordReset('me@example.test');
    expect(calls.map(({ bearer }) => bearer)).toEqual([null, null]);
  });

  it('changes nothing when it is refused', async () => {
    reply = () => Response.json({ detail: 'no' }, { status: 400 });
    await expect(account.logIn(LOG_IN)).rejects.toMatchObject({ status: 400 });
    expect(localStorage.length).toBe(0);
  });

  it('keeps the filters used before', async () => {
    session.rememberFilters({ search: '雨', subgenres: ['3'], type: '1' });
    session.rememberUser(USER);
    expect(session.$session.get()).toMatchObject({ search: '雨', subgenres: ['3'], type: '1' });
  });
});

describe('logging out', () => {
  beforeEach(() => {
    localStorage.setItem('token', 'A');
    localStorage.setItem('refresh', OWN_REFRESH);
    session.rememberUser(USER);
    session.rememberFilters({ search: '雨', subgenres: [], type: null });
  });

  it('clears the browser’s data, tells the host, and goes to the top page', async () => {
    account.logOut();
    expect(localStorage.length).toBe(0);
    expect(session.$session.get()).toEqual(NOBODY);
    await vi.waitFor(() =>
      expect(calls).toEqual([
        {
          path: '/api/account/logout/',
          body: { refresh: OWN_REFRESH, everywhere: false },
          keepalive: true,
          bearer: null,
        },
      ]),
    );
    await vi.waitFor(() => expect(navigations).toEqual(['/']));
  });

  it('can end the sessions of all devices, and works where the host fails', async () => {
    reply = () => Response.json({}, { status: 500 });
    account.logOut({ everywhere: true });
    await vi.waitFor(() => expect(calls[0]?.body).toEqual({ refresh: OWN_REFRESH, everywhere: true }));
    expect(localStorage.length).toBe(0);
  });

  it.each([
    ['to a host that is not extended', false, OWN_REFRESH],
    ['without a refresh token', true, ''],
  ])('sends nothing %s', async (_, isExtended, refresh) => {
    setExtended(isExtended);
    localStorage.setItem('refresh', refresh);
    account.logOut();
    await new Promise((resolve) => setTimeout(resolve));
    expect(calls).toEqual([]);
    expect(localStorage.length).toBe(0);
  });
});

describe('logging out with something unsaved', () => {
  const isMember = () => session.$session.get().isAuthenticated;
  const answer = async (isYes: boolean) => {
    const { $questions } = overlays;
    await vi.waitFor(() =>
      expect($questions.get().map(({ content }) => content.title)).toEqual(['ログアウトしますか？']),
    );
    $questions.get()[0]?.close(isYes);
    await new Promise((resolve) => setTimeout(resolve));
  };

  beforeEach(async () => {
    overlays = await import('#src/stores/overlays/overlays.ts');
    overlays.setOverlayLoader(() => Promise.resolve());
    localStorage.setItem('token', 'A');
    session.rememberUser(USER);
  });

  it.each([false, true])(
    'asks first, and does nothing without confirmation (everywhere: %s)',
    async (everywhere) => {
      const { guardUnsaved } = await import('#src/browser/unsaved.ts');
      const stop = guardUnsaved(() => true);
      account.logOut({ everywhere });
      account.logOut({ everywhere });
      expect(isMember()).toBe(true);
      await answer(false);
      expect([isMember(), localStorage.getItem('token'), navigations]).toEqual([true, 'A', []]);
      account.logOut({ everywhere });
      await answer(true);
      await vi.waitFor(() => expect([isMember(), navigations]).toEqual([false, ['/']]));
      stop();
    },
  );

  it('does not ask about saved data, nor about a page that has been left', async () => {
    const { guardUnsaved } = await import('#src/browser/unsaved.ts');
    guardUnsaved(() => true)();
    const stop = guardUnsaved(() => false);
    account.logOut();
    expect(isMember()).toBe(false);
    stop();
  });

  it('asks on every page while an unfinished upload is stored', async () => {
    const { storeUpload } = await import('#src/api/stored-uploads.ts');
    const standing = { uploadId: 'u', takenBytes: 1 };
    const kept = { memberId: '7', typeId: '1', name: '曲.mp3', sizeBytes: 2, lastModified: 3, standing };
    storeUpload({ ...kept, key: 'old', chosenAtMs: 4 });
    account.logOut();
    expect(isMember()).toBe(false);
    session.rememberUser(USER);
    storeUpload({ ...kept, key: 'new', chosenAtMs: Date.now() });
    account.logOut();
    expect(isMember()).toBe(true);
    await answer(true);
    await vi.waitFor(() => expect(isMember()).toBe(false));
  });
});

describe('the stored player state', () => {
  const track = { id: 'a', src: '/a', title: '秘密', artist: '', thumbnail: null, wave: '', durationSec: 1 };
  beforeEach(() => {
    localStorage.setItem('player:queue', JSON.stringify([{ ...track, isPrivate: true }]));
    localStorage.setItem('player:track', 'a');
  });

  it('of private sounds is removed on log-out, also on pages without the player', () => {
    session.rememberUser(USER);
    account.logOut();
    expect(localStorage.length).toBe(0);
  });

  it('of private sounds is not restored for the next member', async () => {
    reply = () => Response.json({ user: USER, access: 'A', refresh: 'R' });
    await account.logIn(LOG_IN);
    expect(Object.keys(localStorage).sort()).toEqual(['auth', 'refresh', 'token']);
  });
});

it('a log-out also forgets the mailed links that the tab has opened', () => {
  session.rememberUser(USER);
  sessionStorage.setItem('link:undo', '{"token":"t1"}');
  account.logOut();
  expect(sessionStorage).toHaveLength(0);
});

describe('another tab', () => {
  const say = (newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key: 'auth', newValue }));

  it('that logs out logs this one out', () => {
    session.rememberUser(USER);
    const stop = session.$session.listen(() => undefined);
    localStorage.removeItem('auth');
    say(null);
    expect(session.$session.get().isAuthenticated).toBe(false);
    stop();
  });

  it('that has logged out stays logged out when this one saves its filters', () => {
    session.rememberUser(USER);
    // Storage changes before its event arrives.
    localStorage.removeItem('auth');
    session.rememberFilters({ search: '風', subgenres: [], type: null });
    expect(stored()).toMatchObject({ isAuthenticated: false, user: null, search: '風' });
  });

  it('that logs in logs this one in', () => {
    const stop = session.$session.listen(() => undefined);
    const text = JSON.stringify({ ...NOBODY, isAuthenticated: true, user: USER });
    localStorage.setItem('auth', text);
    say(text);
    expect(session.$session.get().user).toEqual(USER);
    stop();
  });
});

describe('the content of storage', () => {
  it.each([
    ['', 'nothing'],
    ['{', 'no JSON'],
    ['null', 'null'],
    ['[1,2]', 'a list'],
    ['"x"', 'a text'],
    ['{"isAuthenticated":"yes","user":5,"search":1,"subgenres":"x","type":{}}', 'the wrong kinds'],
  ])('may be %s: %s counts as no session', async (text) => {
    localStorage.setItem('auth', text);
    await load();
    expect(session.$session.get()).toEqual(NOBODY);
  });

  it('is absent where there is nothing to store', () => {
    session.rememberFilters({ search: '雨', subgenres: ['1'], type: '2' });
    session.rememberFilters({ search: '', subgenres: [], type: null });
    expect(localStorage.getItem('auth')).toBeNull();
  });
});

describe('confirming an address', () => {
  beforeEach(async () => {
    vi.doMock('#src/stores/overlays/overlays.ts', () => ({ showToast }));
    await load();
    vi.doUnmock('#src/stores/overlays/overlays.ts');
  });

  it.each([{}, { email: null }, { email: 7 }, 'confirmed', null, []])(
    'accepts any answer of a host: %j',
    async (body) => {
      reply = () => Response.json(body);
      expect(await account.confirmUser('u', 't')).toBe('');
    },
  );

  it('tells in a toast that the address was confirmed', async () => {
    reply = () => Response.json({ detail: 'ok', email: 'me@example.test' });
    expect(await account.confirmUser('u id', 't/k')).toBe('me@example.test');
    expect(calls[0]?.path).toBe('/api/account/verify-email/u%20id/t%2Fk/');
    reply = () => Response.json({ detail: 'old' }, { status: 400 });
    await expect(account.confirmUser('u', 't')).rejects.toThrow('old');
    expect(showToast.mock.calls).toEqual([['success', 'User confirmed. Please login']]);
  });
});

it('registering stores the address for the log-in form of this tab, and nothing else', async () => {
  sessionStorage.clear();
  await account.register({ username: '音の人', email: 'me@example.test', password: 'correct horse' });
  expect({ ...sessionStorage }).toEqual({ 'draft:login': '{"email":"me@example.test"}' });
});
