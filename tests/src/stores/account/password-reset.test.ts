// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { resetPassword } from '#contract/accounts.ts';

const { callAnonymously } = vi.hoisted(() => ({ callAnonymously: vi.fn<() => Promise<void>>() }));
vi.mock('#src/api/browser.ts', () => ({ callAnonymously }));

import { createPasswordReset } from '#src/stores/account/password-reset.ts';

beforeEach(() => {
  sessionStorage.clear();
  callAnonymously.mockReset();
});

const open = (address: string) => history.replaceState(null, '', address);

describe('a link to choose a new password', () => {
  it('is removed from the address and sent with the password', async () => {
    open('/reset-password?uid=u1&token=t1');
    const reset = createPasswordReset();
    reset.start();
    reset.start();
    expect(location.pathname + location.search).toBe('/reset-password');
    expect(reset.$isLinkMissing.get()).toBe(false);
    await reset.form.submit({ password: 'otoichi-demo' });
    expect(callAnonymously).toHaveBeenCalledWith(resetPassword, {
      body: { uid: 'u1', token: 't1', password: 'otoichi-demo' },
    });
    expect(reset.form.$form.get()).toMatchObject({ state: 'done' });
  });

  it('survives a reload in its tab until it is used', async () => {
    open('/reset-password?uid=u1&token=t1');
    createPasswordReset().start();
    const reloaded = createPasswordReset();
    reloaded.start();
    expect(reloaded.$isLinkMissing.get()).toBe(false);
    callAnonymously.mockRejectedValueOnce(new Error('refused'));
    await reloaded.form.submit({ password: 'otoichi-demo' });
    createPasswordReset().start();
    await reloaded.form.submit({ password: 'otoichi-demo' });
    expect(callAnonymously).toHaveBeenLastCalledWith(resetPassword, {
      body: { uid: 'u1', token: 't1', password: 'otoichi-demo' },
    });
    const after = createPasswordReset();
    after.start();
    expect(after.$isLinkMissing.get()).toBe(true);
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('t1');
  });

  it('is replaced by a newer one', async () => {
    open('/reset-password?uid=u1&token=t1');
    createPasswordReset().start();
    open('/reset-password?uid=u1&token=t2');
    const reset = createPasswordReset();
    reset.start();
    await reset.form.submit({ password: 'otoichi-demo' });
    expect(callAnonymously).toHaveBeenLastCalledWith(resetPassword, {
      body: { uid: 'u1', token: 't2', password: 'otoichi-demo' },
    });
  });

  it.each(['{', 'null', '{"uid":"u1"}', '[]'])('is missing where storage holds %s', (text) => {
    open('/reset-password');
    sessionStorage.setItem('reset-password', text);
    const reset = createPasswordReset();
    reset.start();
    expect(reset.$isLinkMissing.get()).toBe(true);
  });

  it('is missing where the page was opened without it', () => {
    open('/reset-password?uid=u1');
    const reset = createPasswordReset();
    reset.start();
    expect(reset.$isLinkMissing.get()).toBe(true);
  });
});
