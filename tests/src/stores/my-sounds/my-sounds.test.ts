// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { MEMBER, callApi, showToast, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: Record<string, unknown>;
  readonly signal: AbortSignal | undefined;
  answer(body: unknown): Promise<void>;
  fail(status?: number, body?: unknown): Promise<void>;
}

let calls: Call[];

const sound = (id: string, extra = {}) => ({ id, title: id, sub_genres: [], is_published: true, ...extra });
const list = (ids: string[], next: number | null = null) => ({ results: ids.map((id) => sound(id)), next });
const A = { id: 'a', title: '曲', filename: 'a.mp3' };
const settle = () => new Promise((resolve) => setTimeout(resolve));

async function open() {
  vi.resetModules();
  const session = await import('#src/stores/session/session.ts');
  session.rememberUser(MEMBER);
  const store = await import('#src/stores/my-sounds/my-sounds.ts');
  const { $favorites } = await import('#src/stores/favorites/favorites.ts');
  const deletion = await import('#src/stores/my-sounds/deletion.ts');
  store.$tab.listen(() => undefined);
  await settle();
  const { mySounds } = store;
  const ids = () => {
    const { items, isRead, pending } = mySounds.$list.get();
    return isRead ? items.map(({ id }) => id) : pending && 'loading';
  };
  return { ...store, ...deletion, session, $favorites, ids };
}

/** The first tab with these sounds. */
async function openList(ids: string[], next: number | null = null) {
  const opened = await open();
  opened.showTab('1', '音の人');
  await calls[0]!.answer(list(ids, next));
  return opened;
}

useStores();
beforeEach(() => {
  document.documentElement.dataset['member'] = '';
  calls = [];
  callApi.mockImplementation(({ method, path }, options) => {
    if (path === '/api/sounds/types/') return Promise.resolve([{ id: '1' }, { id: '2' }]);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const answer = (body: unknown) => (resolve(body), settle().then(() => undefined));
    const fail = async (status = 503, body: unknown = {}) => {
      const { ApiError } = await import('#contract/calls/errors.ts');
      const { toFieldErrors } = await import('#src/api/field-errors.ts');
      reject(new ApiError(status, toFieldErrors(body)));
      await settle();
    };
    calls.push({ method, path, query: { ...options?.query }, signal: options?.signal, answer, fail });
    return promise;
  });
});

describe('the tabs of the sounds section', () => {
  it('start with the first type, requested as in spec §7', async () => {
    const { $tab, showTab, ids } = await open();
    expect($tab.get()).toBe('1');
    showTab('1', '音の人');
    expect(calls[0]).toMatchObject({
      path: '/api/sounds/',
      query: { user: '音の人', include_private: true, type: '1', page_size: 100 },
    });
    expect(ids()).toBe('loading');
    await calls[0]!.answer(list(['a', 'b']));
    expect(ids()).toEqual(['a', 'b']);
  });

  it('drop the list of the previous type: its late answer is ignored, and going back reloads it', async () => {
    const { $tab, showTab, ids } = await open();
    showTab('1', '音の人');
    showTab('2', '音の人');
    expect($tab.get()).toBe('2');
    expect(calls[0]!.signal?.aborted).toBe(true);
    await calls[0]!.answer(list(['old']));
    expect(ids()).toBe('loading');
    await calls[1]!.answer(list(['new']));
    expect(ids()).toEqual(['new']);
    showTab('1', '音の人');
    expect(ids()).toBe('loading');
    expect(calls).toHaveLength(3);
  });

  it('request nothing when the shown tab is chosen again, except under a new name', async () => {
    const { showTab } = await open();
    showTab('1', '音の人');
    showTab('1', '音の人');
    expect(calls).toHaveLength(1);
    showTab('1', '新しい名');
    expect(calls[1]!.query['user']).toBe('新しい名');
  });

  it('are empty without a call for a member who has no name: a host would list those of everyone', async () => {
    const { showTab, ids } = await open();
    showTab('1', '');
    await settle();
    expect([calls.length, ids()]).toEqual([0, []]);
    showTab(':favorites', '');
    expect(calls[0]!.query).toMatchObject({ favorite: true });
  });

  it.each([
    ['音の人', true],
    [' ＯＴＯ ', true],
    ['', true],
    ['別の人', false],
  ])('are own if their artist is the member: %j', async (artist_name, isOwn) => {
    const { isOwnSound } = await open();
    expect(isOwnSound({ artist_name }, artist_name === ' ＯＴＯ ' ? 'oto' : '音の人')).toBe(isOwn);
  });

  it('keep nothing for the next member', async () => {
    const { showTab, session, ids } = await open();
    showTab('1', '音の人');
    session.forgetSession();
    expect(ids()).toBeNull();
    expect(calls[0]!.signal?.aborted).toBe(true);
  });
});

describe('leaving the page', () => {
  it('resets the next visit to the first tab, reloaded', async () => {
    const { $tab, mySounds, showTab, ids } = await open();
    showTab('2', '音の人');
    mySounds.close();
    expect([$tab.get(), ids()]).toEqual(['1', null]);
    expect(calls[0]!.signal?.aborted).toBe(true);
    showTab('1', '音の人');
    await calls[1]!.answer(list(['a']));
    expect(ids()).toEqual(['a']);
  });

  it.each(['asking', 'taken', 'refused'])('closes the question of a deletion that is %s', async (how) => {
    const { openDeletion, confirmDeletion, leaveDeletion, $deletion, ids } = await openList(['a', 'b']);
    openDeletion([A]);
    const deleting = how === 'asking' ? undefined : confirmDeletion();
    leaveDeletion();
    expect($deletion.get().state).toBe('closed');
    if (how === 'taken') await calls[1]!.answer(undefined);
    if (how === 'refused') await calls[1]!.fail(503, { detail: 'だめ' });
    await deleting;
    expect($deletion.get().state).toBe('closed');
    expect(ids()).toEqual(how === 'taken' ? ['b'] : ['a', 'b']);
    expect(showToast).toHaveBeenCalledTimes(how === 'asking' ? 0 : 1);
  });

  it('does not report a deletion to the next member', async () => {
    const { session, openDeletion, confirmDeletion } = await open();
    openDeletion([A]);
    const deleting = confirmDeletion();
    session.rememberUser({ id: '2', username: '別の人', email: 'b@example.test', profile_picture: null });
    await calls[0]!.answer(undefined);
    await deleting;
    expect(showToast).not.toHaveBeenCalled();
  });
});

describe('a list of own sounds', () => {
  it('continues while next is set, once for repeated requests, and repeats no sound', async () => {
    const { mySounds, ids } = await openList(['a', 'b'], 2);
    void mySounds.more();
    void mySounds.more();
    expect(calls).toHaveLength(2);
    expect(calls[1]!.query).toMatchObject({ page: 2, page_size: 100 });
    await calls[1]!.answer(list(['b', 'c']));
    expect(ids()).toEqual(['a', 'b', 'c']);
    void mySounds.more();
    expect(calls).toHaveLength(2);
  });

  it('is reloaded to its current length, and stays visible during the reload', async () => {
    const { showTab, mySounds, refreshSounds, ids } = await open();
    const hundred = Array.from({ length: 100 }, (_, index) => `s${index}`);
    showTab('1', '音の人');
    await calls[0]!.answer(list(hundred, 2));
    void mySounds.more();
    await calls[1]!.answer(list(['last']));
    refreshSounds('2');
    expect(calls).toHaveLength(2);
    refreshSounds('1');
    expect(ids()).toHaveLength(101);
    await calls[2]!.answer(list(['new', ...hundred.slice(0, 99)], 2));
    await calls[3]!.answer(list(['s99', 'last']));
    expect(ids()).toHaveLength(102);
    expect(ids()).toContain('new');
  });

  it('shows an accepted change before it is read again, for an editor that opens meanwhile', async () => {
    const { showTab, mySounds } = await open();
    const { showChange } = await import('#src/stores/my-sounds/list.ts');
    showTab('1', '音の人');
    await calls[0]!.answer(list(['a', 'b']));
    showChange('b', { title: '強い雨' });
    expect(mySounds.$list.get()).toMatchObject({ items: [{ title: 'a' }, { title: '強い雨' }] });
    expect(calls).toHaveLength(2);
  });
});

describe('the favourites tab', () => {
  it('fills the hearts, and skips none of those that move up after a removal', async () => {
    const { showTab, mySounds, FAVORITES_TAB, $favorites, ids } = await open();
    showTab(FAVORITES_TAB, '音の人');
    expect(calls[0]!.query).toEqual({ favorite: true });
    await calls[0]!.answer(list(['a', 'b', 'c'], 2));
    expect($favorites.get()).toEqual({ a: true, b: true, c: true });
    $favorites.setKey('a', false);
    void mySounds.more();
    // One is gone, so the first of the former page 2 is now at the end of page 1.
    await calls[1]!.answer(list(['b', 'c', 'd'], 2));
    await calls[2]!.answer(list(['e']));
    expect(calls.slice(1).map(({ query }) => query['page'])).toEqual([undefined, 2]);
    expect(ids()).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect($favorites.get()['a']).toBe(false);
  });
});

describe('deleting a sound', () => {
  it('asks first, removes it at once, and reloads the list (spec §8)', async () => {
    const { openDeletion, confirmDeletion, $deletion, ids } = await openList(['a', 'b']);
    openDeletion([A]);
    expect(calls).toHaveLength(1);
    const deleting = confirmDeletion();
    void confirmDeletion();
    expect($deletion.get().state).toBe('deleting');
    expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    await calls[1]!.answer(undefined);
    await deleting;
    expect($deletion.get().state).toBe('closed');
    expect(ids()).toEqual(['b']);
    expect(showToast.mock.calls).toEqual([['success', 'サウンドが正常に削除されました']]);
    expect(calls).toHaveLength(3);
  });

  it('that is refused shows each key of the reason, and leaves the question open', async () => {
    const { openDeletion, confirmDeletion, $deletion, ids } = await openList(['a']);
    openDeletion([A]);
    const deleting = confirmDeletion();
    await calls[1]!.fail(404, { detail: 'ありません。', id: ['不明です。'] });
    await deleting;
    expect($deletion.get().state).toBe('asking');
    expect(ids()).toEqual(['a']);
    expect(showToast.mock.calls).toEqual([
      ['error', 'detail: ありません。'],
      ['error', 'id: 不明です。'],
    ]);
  });

  it('removes it from the player, where it would fail', async () => {
    const { openDeletion, confirmDeletion } = await open();
    const { $queue, $trackId } = await import('#src/stores/player/player.ts');
    const card = { title: '', artist: '', thumbnail: null, wave: '', durationSec: 1 };
    const track = (id: string) => ({ id, src: `/${id}.mp3`, ...card });
    $queue.set([track('a'), track('b')]);
    $trackId.set('b');
    for (const [id, queue, current] of [
      ['a', ['b'], 'b'],
      ['b', [], ''],
    ] as const) {
      openDeletion([{ id, title: '', filename: '' }]);
      const deleting = confirmDeletion();
      await calls.at(-1)!.answer(undefined);
      await deleting;
      expect($queue.get().map((item) => item.id)).toEqual(queue);
      expect($trackId.get()).toBe(current);
    }
  });
});
