// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';

const { resetPassword } = vi.hoisted(() => ({ resetPassword: vi.fn<(reset: object) => Promise<void>>() }));
vi.mock('../../../src/stores/account.ts', () => ({ resetPassword }));

import { createPasswordReset } from '../../../src/stores/password-reset.ts';

const open = (address: string) => history.replaceState(null, '', address);

describe('a link to choose a new password', () => {
  it('is taken out of the address and sent with the password', async () => {
    open('/reset-password?uid=u1&token=t1');
    const reset = createPasswordReset();
    reset.start();
    reset.start();
    expect(location.pathname + location.search).toBe('/reset-password');
    expect(reset.$isLinkMissing.get()).toBe(false);
    await reset.form.submit({ password: 'otoichi-demo' });
    expect(resetPassword).toHaveBeenCalledWith({ uid: 'u1', token: 't1', password: 'otoichi-demo' });
    expect(reset.form.$form.get()).toEqual({ state: 'done' });
  });

  it('is missed where the page was opened without it', () => {
    open('/reset-password?uid=u1');
    const reset = createPasswordReset();
    reset.start();
    expect(reset.$isLinkMissing.get()).toBe(true);
  });
});
