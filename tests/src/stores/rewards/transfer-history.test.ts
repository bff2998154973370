// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listOwnPayouts } from '#contract/payouts/payouts.ts';
import { MEMBER, callApi, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

const transfer = (id: string) => ({ id, amount: 3_000, state: 'paid', requested_at: '2026-10-01T00:00:00Z' });
/** The answers to the list's calls, in order; the profile is `profile`. */
let answers: ((query: { page?: number }) => Promise<unknown>)[];
let profile: object;

async function open() {
  vi.resetModules();
  const { $profile, reloadProfile } = await import('#src/stores/profile/profile.ts');
  const store = await import('#src/stores/rewards/transfer-history.ts');
  $profile.listen(() => undefined);
  await vi.waitFor(() => expect($profile.get().data).toBeDefined());
  return { ...store, $profile, reloadProfile };
}
const asked = () => callApi.mock.calls.filter(([{ path }]) => path === listOwnPayouts.path);

useStores({ stored: MEMBER });
beforeEach(() => {
  profile = MEMBER;
  answers = [];
  callApi.mockImplementation(({ path }, options) => {
    if (path !== listOwnPayouts.path) return Promise.resolve(profile);
    return answers.shift()?.(options?.query ?? {}) ?? Promise.reject(new Error('not expected'));
  });
});

describe('the history of payouts', () => {
  it('is read when it is opened, and not before', async () => {
    const { openTransferHistory, transferHistory } = await open();
    expect(asked()).toHaveLength(0);
    answers = [() => Promise.resolve({ results: [transfer('1')], next: null })];
    openTransferHistory();
    await vi.waitFor(() => expect(transferHistory.$list.get()).toMatchObject({ items: [transfer('1')] }));
  });

  it('continues with the next page', async () => {
    const { openTransferHistory, transferHistory } = await open();
    answers = [
      () => Promise.resolve({ results: [transfer('2')], next: 2 }),
      ({ page }) => Promise.resolve({ results: [transfer('1')], next: page === 2 ? null : 9 }),
    ];
    openTransferHistory();
    await vi.waitFor(() => expect(transferHistory.$list.get()).toMatchObject({ hasMore: true }));
    await transferHistory.more();
    expect(transferHistory.$list.get()).toMatchObject({ items: [{ id: '2' }, { id: '1' }], hasMore: false });
  });

  it('is reloaded when a request is made or decided, while it is open', async () => {
    const { openTransferHistory, transferHistory, reloadProfile, $profile } = await open();
    answers = [
      () => Promise.resolve({ results: [], next: null }),
      () => Promise.resolve({ results: [transfer('1')], next: null }),
    ];
    const close = openTransferHistory();
    await vi.waitFor(() => expect(transferHistory.$list.get()).toMatchObject({ isRead: true }));
    profile = { ...MEMBER, transfer_request: { amount: 3_000, requested_at: '2026-10-01T00:00:00Z' } };
    reloadProfile();
    await vi.waitFor(() => expect(transferHistory.$list.get()).toMatchObject({ items: [{ id: '1' }] }));
    close();
    profile = MEMBER;
    reloadProfile();
    await vi.waitFor(() => expect($profile.get().data).toEqual(MEMBER));
    expect(asked()).toHaveLength(2);
  });
});
