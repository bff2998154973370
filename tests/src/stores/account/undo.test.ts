// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';

type Call = (endpoint: { readonly path: string }, options: { readonly body: object }) => Promise<unknown>;
const { callAnonymously } = vi.hoisted(() => ({ callAnonymously: vi.fn<Call>() }));
vi.mock('#src/api/browser.ts', () => ({ callAnonymously }));

import { createUndo } from '#src/stores/account/undo.ts';

const REPLY = { changes: ['口座番号'], changed_at: '2026-11-22T05:00:00.000Z' };
const KNOWN = { changes: ['口座番号'], changedAt: REPLY.changed_at };
const READY = {
  state: 'ready',
  ...KNOWN,
  deletion: null,
  sounds: [],
  changed: { count: 0, lines: [] },
  widenedDownloads: 0,
  problems: [],
};
const paths = () => callAnonymously.mock.calls.map(([{ path }]) => path);
let undo: ReturnType<typeof createUndo>;
const start = async () => {
  undo.start();
  await vi.waitFor(() => expect(undo.$undo.get().state).not.toBe('reading'));
};

beforeEach(() => {
  sessionStorage.clear();
  callAnonymously.mockReset().mockResolvedValue(REPLY);
  history.replaceState(null, '', '/undo?token=t1');
  undo = createUndo();
});

describe('the link that undoes a change', () => {
  it('is read when the page opens, is removed from the address, and undoes only on a press, once', async () => {
    await start();
    expect(location.pathname + location.search).toBe('/undo');
    expect(undo.$undo.get()).toEqual(READY);
    expect(paths()).toEqual(['/api/account/undo/describe/']);
    await Promise.all([undo.undo(), undo.undo()]);
    expect(undo.$undo.get()).toEqual({ state: 'done', restored: null });
    expect(paths()).toEqual(['/api/account/undo/describe/', '/api/account/undo/']);
    expect(callAnonymously.mock.calls[1]?.[1]).toEqual({ body: { token: 't1' } });
  });

  it('is missing where the address has none', () => {
    history.replaceState(null, '', '/undo');
    undo.start();
    expect(undo.$undo.get()).toEqual({ state: 'link-missing' });
    expect(paths()).toEqual([]);
  });

  it('can be read and used again after a temporary failure', async () => {
    callAnonymously.mockRejectedValueOnce(new ApiError(503, []));
    await start();
    expect(undo.$undo.get()).toMatchObject({ state: 'failed', canRetry: true });
    // The page is loaded again.
    undo = createUndo();
    await start();
    callAnonymously.mockRejectedValueOnce(new ApiError(503, []));
    await undo.undo();
    expect(undo.$undo.get()).toMatchObject({ ...READY, problems: [expect.any(String)] });
    await undo.undo();
    expect(undo.$undo.get()).toEqual({ state: 'done', restored: null });
    expect(sessionStorage).toHaveLength(0);
  });

  it.each([
    ['account', { sounds: [] }],
    ['sounds', { sounds: ['雨の庭'] }],
    ['sounds', { changed_count: 1, changed_sounds: ['「雨の庭」（説明）'] }],
  ])('undoes without a new password, where the host allows it: %s %j', async (deletion, reply) => {
    callAnonymously.mockResolvedValue({ ...REPLY, can_keep_password: true, ...reply });
    await start();
    expect(undo.$undo.get()).toMatchObject({ state: 'ready', deletion });
    await undo.undo(true);
    expect(undo.$undo.get()).toEqual({ state: 'done', restored: deletion });
    expect(callAnonymously.mock.calls[1]?.[1]).toEqual({ body: { token: 't1', keeps_password: true } });
  });
});
