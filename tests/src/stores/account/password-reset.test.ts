// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetPassword } from '#contract/accounts/accounts.ts';

const { callAnonymously } = vi.hoisted(() => ({ callAnonymously: vi.fn<() => Promise<void>>() }));
vi.mock('#src/api/browser.ts', () => ({ callAnonymously }));

import { createPasswordReset } from '#src/stores/account/password-reset.ts';

beforeEach(() => {
  sessionStorage.clear();
  callAnonymously.mockReset();
});

const open = (address: string) => history.replaceState(null, '', address);
/** The page as it starts. */
const start = () => {
  const reset = createPasswordReset();
  reset.start();
  return reset;
};
const sent = (token: string) => [resetPassword, { body: { uid: 'u1', token, password: 'otoichi-demo' } }];

describe('a link to choose a new password', () => {
  it('is removed from the address and sent with the password', async () => {
    open('/reset-password?uid=u1&token=t1');
    const reset = start();
    reset.start();
    expect(location.pathname + location.search).toBe('/reset-password');
    expect(reset.$isLinkMissing.get()).toBe(false);
    await reset.form.submit({ password: 'otoichi-demo' });
    expect(callAnonymously.mock.lastCall).toEqual(sent('t1'));
    expect(reset.form.$form.get()).toMatchObject({ state: 'done' });
  });

  it('survives a reload in its tab until it is used', async () => {
    open('/reset-password?uid=u1&token=t1');
    start();
    const reloaded = start();
    expect(reloaded.$isLinkMissing.get()).toBe(false);
    callAnonymously.mockRejectedValueOnce(new Error('refused'));
    await reloaded.form.submit({ password: 'otoichi-demo' });
    start();
    await reloaded.form.submit({ password: 'otoichi-demo' });
    expect(callAnonymously.mock.lastCall).toEqual(sent('t1'));
    const after = start();
    expect(after.$isLinkMissing.get()).toBe(true);
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('t1');
  });

  it('is replaced by a newer one', async () => {
    open('/reset-password?uid=u1&token=t1');
    start();
    open('/reset-password?uid=u1&token=t2');
    const reset = start();
    await reset.form.submit({ password: 'otoichi-demo' });
    expect(callAnonymously.mock.lastCall).toEqual(sent('t2'));
  });

  it.each([
    ['where storage holds no JSON', '/reset-password', '{'],
    ['where storage holds null', '/reset-password', 'null'],
    ['where storage holds a half', '/reset-password', '{"uid":"u1"}'],
    ['where storage holds a list', '/reset-password', '[]'],
    ['where the address is half of it', '/reset-password?uid=u1', ''],
  ])('is missing %s', (_, address, stored) => {
    open(address);
    sessionStorage.setItem('link:reset-password', stored);
    expect(start().$isLinkMissing.get()).toBe(true);
  });
});
