import { atom } from 'nanostores';
import * as v from 'valibot';
import { resetPassword } from '../../../contract/accounts/accounts.ts';
import { NewPasswordSchema } from '../../../contract/accounts/passwords.ts';
import { callAnonymously } from '../../api/browser.ts';
import { createMailedLink, isLinkRefused } from '../../browser/mailed-link.ts';
import { createForm } from '../shared/form.ts';

/** Password reset by the link of a mail. */
export function createPasswordReset() {
  const $isLinkMissing = atom(false);
  const $isLinkRefused = atom(false);
  const link = createMailedLink({ key: 'reset-password', names: ['uid', 'token'] });
  let opened: ReturnType<typeof link.read> = null;
  const form = createForm({
    schema: v.object({ password: NewPasswordSchema }),
    async send({ password }) {
      try {
        await callAnonymously(resetPassword, { body: { ...opened, password } });
        link.drop();
      } catch (error) {
        $isLinkRefused.set(isLinkRefused(error, 'password'));
        if ($isLinkRefused.get()) link.drop();
        throw error;
      }
    },
  });

  /** Reads the token from the page's address. */
  function start(): void {
    opened = link.read();
    $isLinkMissing.set(opened === null);
  }

  return { $isLinkMissing, $isLinkRefused, form, start };
}
