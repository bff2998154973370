// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { ApiError } from '#contract/calls/errors.ts';
import { showToast } from '../../support/stores.ts';

const { confirmUser } = vi.hoisted(() => ({
  confirmUser: vi.fn<(uid: string, token: string) => Promise<string>>(),
}));
vi.mock('#src/stores/account/actions.ts', () => ({ confirmUser }));
vi.mock('#src/stores/overlays/overlays.ts', () => ({ showToast }));

import { createConfirmation } from '#src/stores/account/confirmation.ts';

const STATE = { index: 3, scrollX: 0, scrollY: 40 };
const open = (address: string) => history.replaceState(STATE, '', address);
const start = () => {
  const confirmation = createConfirmation();
  void confirmation.start();
  return confirmation;
};
const here = () => location.pathname + location.search + location.hash;

beforeEach(() => {
  sessionStorage.clear();
  showToast.mockReset();
  confirmUser.mockReset().mockResolvedValue('me@example.test');
});

describe('a confirmation link', () => {
  it('is confirmed once, however often the page starts', async () => {
    open('/login?user=u1&token=t%2B1');
    const confirmation = createConfirmation();
    void confirmation.start();
    void confirmation.start();
    expect(confirmation.$state.get().state).toBe('running');
    await vi.waitFor(() => expect(confirmation.$state.get().state).toBe('confirmed'));
    expect(confirmUser.mock.calls).toEqual([['u1', 't+1']]);
  });

  it('is removed from the address, which otherwise stays the same', () => {
    open('/login?user=u1&redirect=%2Fsounds&token=t1#x');
    start();
    expect(here()).toBe('/login?redirect=%2Fsounds#x');
    expect(history.state).toEqual(STATE);
  });

  it.each([
    ['me@example.test', { email: 'me@example.test' }],
    ['', {}],
  ])('provides the address to log in with, where the host sends it: %j', async (email, defaults) => {
    open('/login?user=u1&token=t1');
    confirmUser.mockResolvedValue(email);
    const confirmation = start();
    await vi.waitFor(() => expect(confirmation.$state.get().state).toBe('confirmed'));
    expect(confirmation.$defaults.get()).toEqual(defaults);
  });

  it('that the host refuses is reported (spec §8) and forgotten', async () => {
    open('/login?user=u1&token=t1');
    confirmUser.mockRejectedValue(new ApiError(400, [{ key: 'detail', message: '使用済みです。' }]));
    const confirmation = start();
    await vi.waitFor(() => expect(confirmation.$state.get()).toEqual({ state: 'refused' }));
    expect(showToast.mock.calls).toEqual([['error', 'Error confirming user']]);
    expect(start().$state.get()).toEqual({ state: 'none' });
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('t1');
  });

  it.each(['/login', '/login?redirect=/sounds', '/login?user=u1', '/login?token=t1', '/login?user=&token='])(
    'is absent where one of its two halves is missing: %s',
    (address) => {
      open(address);
      const confirmation = start();
      expect(confirmation.$state.get().state).toBe('none');
      expect(confirmUser).not.toHaveBeenCalled();
    },
  );
});
