import * as v from 'valibot';
import { reauthenticate } from '../../../contract/accounts.ts';
import { PasswordSchema } from '../../../contract/passwords.ts';
import { callApi } from '../../api/browser.ts';
import { setPasswordPrompt } from '../../api/step-up.ts';
import { createForm } from '../shared/form.ts';
import { $session, onMemberGone } from '../session/session.ts';
import { askPassword, showToast } from '../overlays/overlays.ts';

let life = new AbortController();

// The next member is not asked about what the one before wanted.
onMemberGone(endPrompt);

/**
 * Has the password asked for in a dialog when the host wants it before a change (decisions.md, recent log-in);
 * a host that never wants it never shows one. Returns the function that ends it.
 */
export function followPasswordPrompt(): () => void {
  setPasswordPrompt(askForPassword);
  return () => {
    setPasswordPrompt(null);
    endPrompt();
  };
}

function endPrompt(): void {
  life.abort();
  life = new AbortController();
}

/** Whether the host has taken the password; false when the dialog was closed. The dialog loads with the first question. */
async function askForPassword(): Promise<boolean> {
  const form = createForm({
    schema: v.object({ password: PasswordSchema }),
    send: async ({ password }) => void (await callApi(reauthenticate, { body: { password } })),
  });
  try {
    return await askPassword({ form, email: $session.get().user?.email ?? '' }, life.signal);
  } catch {
    showToast(
      'error',
      'パスワードを入力する画面を開けませんでした。通信の状態を確かめて、もう一度お試しください。',
    );
    return false;
  }
}
