import { confirmEmail, updateProfile } from '../../contract/profile.ts';
import { callApi } from '../api/browser.ts';
import { takeFromAddress } from '../lib/address.ts';
import { toErrorMessages } from '../lib/error-messages.ts';
import { reloadProfile } from './profile.ts';
import { showToast } from './toasts.ts';

/**
 * Does what the link in the mail to a new address asks for; says how it went. Once only: the token is
 * taken out of the address.
 */
export async function followEmailLink(): Promise<void> {
  const link = takeFromAddress(['email_token']);
  if (link === null) return;
  try {
    await callApi(confirmEmail, { body: { token: link.email_token } });
    showToast('success', '新しいメールアドレスを確認しました。');
    reloadProfile();
  } catch (error) {
    for (const message of toErrorMessages(error)) showToast('error', message);
  }
}

/** Keeps the present address after all: saving it anew takes back what waits. Never throws. */
export async function cancelEmailChange(present: string): Promise<void> {
  try {
    await callApi(updateProfile, { body: { email: present } });
    reloadProfile();
  } catch (error) {
    for (const message of toErrorMessages(error)) showToast('error', message);
  }
}
