import * as v from 'valibot';
import { reauthenticate } from '../../../contract/accounts/accounts.ts';
import { PasswordSchema } from '../../../contract/accounts/passwords.ts';
import { callApi } from '../../api/browser.ts';
import { setPasswordPrompt } from '../../api/step-up.ts';
import { createForm } from '../shared/form.ts';
import { $session, onMemberLeave } from '../session/session.ts';
import { askPassword, showToast } from '../overlays/overlays.ts';

let controller = new AbortController();

// A prompt of the previous member must not reach the next one.
onMemberLeave(endPrompt);

/**
 * Shows a password dialog when the host requires a recent log-in before a change (decision 032). Hosts that never
 * require it never show one. Returns the function that unregisters it.
 */
export function followPasswordPrompt(): () => void {
  setPasswordPrompt(askForPassword);
  return () => {
    setPasswordPrompt(null);
    endPrompt();
  };
}

function endPrompt(): void {
  controller.abort();
  controller = new AbortController();
}

/** Returns whether the host accepted the password; false when the dialog was closed. The dialog loads on first use. */
async function askForPassword(): Promise<boolean> {
  const form = createForm({
    schema: v.object({ password: PasswordSchema }),
    send: ({ password }) => callApi(reauthenticate, { body: { password } }),
  });
  try {
    return await askPassword({ form, email: $session.get().user?.email ?? '' }, controller.signal);
  } catch {
    showToast(
      'error',
      'パスワードを入力する画面を開けませんでした。通信の状態を確かめて、もう一度お試しください。',
    );
    return false;
  }
}
