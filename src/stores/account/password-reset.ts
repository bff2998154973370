import { atom } from 'nanostores';
import * as v from 'valibot';
import { resetPassword } from '../../../contract/accounts/accounts.ts';
import { NewPasswordSchema } from '../../../contract/accounts/passwords.ts';
import { callAnonymously } from '../../api/browser.ts';
import { createMailedLink } from '../../browser/mailed-link.ts';
import { createForm } from '../shared/form.ts';

/** Password reset by the link of a mail. A refusal may be about the password, so only its use ends the link. */
export function createPasswordReset() {
  const $isLinkMissing = atom(false);
  const link = createMailedLink({ key: 'reset-password', names: ['uid', 'token'] });
  const form = createForm({
    schema: v.object({ password: NewPasswordSchema }),
    async send({ password }) {
      await callAnonymously(resetPassword, { body: { ...link.read(), password } });
      link.drop();
    },
  });

  /** Reads the token from the page's address. */
  function start(): void {
    $isLinkMissing.set(link.read() === null);
  }

  return { $isLinkMissing, form, start };
}
