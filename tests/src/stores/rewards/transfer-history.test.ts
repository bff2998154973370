// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listTransfers } from '#contract/finance.ts';
import { MEMBER, callApi, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

const transfer = (id: string) => ({ id, amount: 3_000, state: 'paid', requested_at: '2026-10-01T00:00:00Z' });
/** The answers to the list's calls, in order; the profile is `profile`. */
let answers: ((query: { page?: number }) => Promise<unknown>)[];
let profile: object;

async function open() {
  vi.resetModules();
  const { ApiError } = await import('#contract/errors.ts');
  const { $profile, reloadProfile } = await import('#src/stores/profile/profile.ts');
  const { forgetSession } = await import('#src/stores/session/session.ts');
  const store = await import('#src/stores/rewards/transfer-history.ts');
  $profile.listen(() => undefined);
  await vi.waitFor(() => expect($profile.get().data).toBeDefined());
  return { ...store, $profile, reloadProfile, forgetSession, ApiError };
}
const asked = () => callApi.mock.calls.filter(([{ path }]) => path === listTransfers.path);

useStores({ stored: MEMBER });
beforeEach(() => {
  profile = MEMBER;
  answers = [];
  callApi.mockImplementation(({ path }, options) => {
    if (path !== listTransfers.path) return Promise.resolve(profile);
    return answers.shift()?.(options?.query ?? {}) ?? Promise.reject(new Error('not expected'));
  });
});

describe('the history of payouts', () => {
  it('is read when it is opened, and not before', async () => {
    const { $transferHistory, openTransferHistory } = await open();
    expect([asked().length, $transferHistory.get()]).toEqual([0, { state: 'closed' }]);
    answers = [() => Promise.resolve({ results: [transfer('1')], next: null })];
    openTransferHistory();
    expect($transferHistory.get()).toEqual({ state: 'loading' });
    await vi.waitFor(() =>
      expect($transferHistory.get()).toEqual({
        state: 'ready',
        transfers: [transfer('1')],
        next: null,
        isLoadingMore: false,
      }),
    );
  });

  it('continues page by page, shows nothing twice, and keeps the loaded pages when one fails', async () => {
    const { $transferHistory, openTransferHistory, showMoreTransfers, ApiError } = await open();
    answers = [
      () => Promise.resolve({ results: [transfer('3'), transfer('2')], next: 2 }),
      () => Promise.reject(new ApiError(503, [])),
      (query) =>
        Promise.resolve({ results: [transfer('2'), transfer('1')], next: query.page === 2 ? null : 9 }),
    ];
    openTransferHistory();
    await vi.waitFor(() => expect($transferHistory.get().state).toBe('ready'));
    await showMoreTransfers();
    expect($transferHistory.get()).toMatchObject({
      transfers: [{ id: '3' }, { id: '2' }],
      error: { status: 503 },
    });
    await Promise.all([showMoreTransfers(), showMoreTransfers()]);
    expect($transferHistory.get()).toMatchObject({
      transfers: [{ id: '3' }, { id: '2' }, { id: '1' }],
      next: null,
    });
    expect(asked()).toHaveLength(3);
  });

  it('is reloaded when a request is made or decided, while it is open', async () => {
    const { $transferHistory, openTransferHistory, reloadProfile, $profile } = await open();
    answers = [
      () => Promise.resolve({ results: [], next: null }),
      () => Promise.resolve({ results: [transfer('1')], next: null }),
    ];
    const close = openTransferHistory();
    await vi.waitFor(() => expect($transferHistory.get().state).toBe('ready'));
    profile = { ...MEMBER, transfer_request: { amount: 3_000, requested_at: '2026-10-01T00:00:00Z' } };
    reloadProfile();
    await vi.waitFor(() => expect($transferHistory.get()).toMatchObject({ transfers: [{ id: '1' }] }));
    close();
    profile = MEMBER;
    reloadProfile();
    await vi.waitFor(() => expect($profile.get().data).toEqual(MEMBER));
    expect(asked()).toHaveLength(2);
  });

  it('shows the error, and can be requested again', async () => {
    const { $transferHistory, openTransferHistory, reloadTransferHistory, ApiError } = await open();
    answers = [
      () => Promise.reject(new ApiError(500, [])),
      () => Promise.resolve({ results: [], next: null }),
    ];
    openTransferHistory();
    await vi.waitFor(() => expect($transferHistory.get()).toMatchObject({ state: 'failed' }));
    reloadTransferHistory();
    await vi.waitFor(() => expect($transferHistory.get()).toMatchObject({ state: 'ready', transfers: [] }));
  });

  it('is cleared with its member, and ignores an answer that arrives later', async () => {
    const { $transferHistory, openTransferHistory, forgetSession } = await open();
    let answer: (reply: unknown) => void = () => undefined;
    answers = [() => new Promise((resolve) => (answer = resolve))];
    openTransferHistory();
    forgetSession();
    answer({ results: [transfer('1')], next: null });
    await new Promise((resolve) => setTimeout(resolve));
    expect($transferHistory.get()).toEqual({ state: 'closed' });
  });
});
