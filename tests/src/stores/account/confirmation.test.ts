// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';

const { confirmUser } = vi.hoisted(() => ({
  confirmUser: vi.fn<(uid: string, token: string) => Promise<string | null>>(),
}));
vi.mock('#src/stores/account/actions.ts', () => ({ confirmUser }));

import { createConfirmation } from '#src/stores/account/confirmation.ts';

const STATE = { index: 3, scrollX: 0, scrollY: 40 };
const open = (address: string) => history.replaceState(STATE, '', address);
const start = () => {
  const confirmation = createConfirmation();
  confirmation.start();
  return confirmation;
};
const here = () => location.pathname + location.search + location.hash;

beforeEach(() => void confirmUser.mockReset().mockResolvedValue('me@example.test'));

describe('a confirmation link', () => {
  it('is confirmed once, however often the page starts', async () => {
    open('/login?user=u1&token=t%2B1');
    const confirmation = createConfirmation();
    confirmation.start();
    confirmation.start();
    expect(confirmation.$state.get()).toBe('running');
    await vi.waitFor(() => expect(confirmation.$state.get()).toBe('confirmed'));
    expect(confirmUser.mock.calls).toEqual([['u1', 't+1']]);
  });

  it('is removed from the address, which otherwise stays the same', () => {
    open('/login?user=u1&redirect=%2Fsounds&token=t1#x');
    createConfirmation().start();
    expect(here()).toBe('/login?redirect=%2Fsounds#x');
    expect(history.state).toEqual(STATE);
  });

  it.each([
    ['me@example.test', { email: 'me@example.test' }, 'confirmed'],
    ['', {}, 'confirmed'],
    [null, {}, 'failed'],
  ])('provides the address to log in with, where the host sends it: %j', async (email, known, state) => {
    open('/login?user=u1&token=t1');
    confirmUser.mockResolvedValue(email);
    const confirmation = start();
    await vi.waitFor(() => expect(confirmation.$state.get()).toBe(state));
    expect(confirmation.$known.get()).toEqual(known);
  });

  it.each(['/login', '/login?redirect=/sounds', '/login?user=u1', '/login?token=t1', '/login?user=&token='])(
    'is absent where one of its two halves is missing: %s',
    (address) => {
      open(address);
      const confirmation = start();
      expect(confirmation.$state.get()).toBe('none');
      expect(confirmUser).not.toHaveBeenCalled();
    },
  );
});
