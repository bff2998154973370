import { ApiError } from '../../contract/errors.ts';
import { confirmEmail, updateProfile } from '../../contract/profile.ts';
import { callApi } from '../api/browser.ts';
import { takeFromAddress } from '../lib/address.ts';
import { toErrorMessages, toKeyedMessages } from '../lib/error-messages.ts';
import { reloadProfile } from './profile.ts';
import { showToast } from './toasts.ts';

/**
 * Does what the link in the mail to a new address asks for; says how it went. The token leaves the
 * address once there is nothing more to do with it: after a failure that can pass, and after a log-in
 * that is needed first, the link is still there to be followed.
 */
export async function followEmailLink(): Promise<void> {
  const token = new URLSearchParams(location.search).get('email_token');
  if (token === null) return;
  try {
    await callApi(confirmEmail, { body: { token } });
    takeFromAddress(['email_token']);
    showToast('success', '新しいメールアドレスを確認しました。');
    reloadProfile();
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401 && error.kind !== 'unavailable') {
      takeFromAddress(['email_token']);
    }
    for (const message of toErrorMessages(error)) showToast('error', message);
  }
}

/** Keeps the present address after all: saving it anew takes back what waits. Says whether it did; never throws. */
export async function cancelEmailChange(present: string): Promise<boolean> {
  try {
    await callApi(updateProfile, { body: { email: present } });
    showToast('success', 'メールアドレスの変更を取り消しました。');
    reloadProfile();
    return true;
  } catch (error) {
    for (const message of toKeyedMessages(error)) showToast('error', message);
    return false;
  }
}
