import { atom } from 'nanostores';
import * as v from 'valibot';
import { NewPasswordSchema } from '../../contract/passwords.ts';
import { takeFromAddress } from '../lib/address.ts';
import { resetPassword } from './account.ts';
import { createForm } from './form.ts';

/** Choosing a new password by the link of a mail. */
export function createPasswordReset() {
  const $isLinkMissing = atom(false);
  // In memory alone: until it is used, the link is as good as the password.
  let link: Record<'uid' | 'token', string> | null = null;
  const form = createForm({
    schema: v.object({ password: NewPasswordSchema }),
    send: ({ password }) => resetPassword({ ...link, password }),
  });

  /** Reads the link that the page was opened with. */
  function start(): void {
    link ??= takeFromAddress(['uid', 'token']);
    $isLinkMissing.set(link === null);
  }

  return { $isLinkMissing, form, start };
}
