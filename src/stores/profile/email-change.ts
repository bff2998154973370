import { ApiError } from '../../../contract/errors.ts';
import {
  type ProfileChange,
  confirmEmail,
  confirmMessageEmail,
  updateProfile,
} from '../../../contract/profile.ts';
import { callApi } from '../../api/browser.ts';
import { takeFromAddress } from '../../lib/address.ts';
import { reloadProfile } from './query.ts';
import { presentError } from '../shared/request-errors.ts';
import { showToast } from '../overlays/overlays.ts';

export const MESSAGE_EMAIL_WAITS =
  '確認のメールを送りました。リンクを開くと、メッセージがこの宛先に届くようになります。';

/** The links that lead to the profile, by the parameter of their token. */
const LINKS = [
  { name: 'email_token', call: confirmEmail, done: '新しいメールアドレスを確認しました。' },
  { name: 'message_email_token', call: confirmMessageEmail, done: 'メッセージの宛先を確認しました。' },
] as const;

/**
 * Does what the link in the mail to a new address asks for; says how it went. The token leaves the
 * address once there is nothing more to do with it: after a failure that can pass, and after a log-in
 * that is needed first, the link is still there to be followed.
 */
export async function followEmailLink(): Promise<void> {
  const parameters = new URLSearchParams(location.search);
  const link = LINKS.find(({ name }) => parameters.has(name));
  if (link === undefined) return;
  try {
    await callApi(link.call, { body: { token: parameters.get(link.name) ?? '' } });
    takeFromAddress([link.name]);
    showToast('success', link.done);
    reloadProfile();
  } catch (error) {
    if (error instanceof ApiError && error.status !== 401 && error.kind !== 'unavailable') {
      takeFromAddress([link.name]);
    }
    presentError(error, { toasts: 'each' });
  }
}

/** Keeps the present address after all: saving it anew takes back what waits. Says whether it did; never throws. */
export function cancelEmailChange(present: string): Promise<boolean> {
  return save({ email: present }, 'success', 'メールアドレスの変更を取り消しました。');
}

/** The same for the address that messages go to. */
export function cancelMessageEmail(present: string): Promise<boolean> {
  return save({ message_email: present }, 'success', 'メッセージの宛先の変更を取り消しました。');
}

/** Has the link sent to a waiting address once more, which is what saving it again does. */
export function resendMessageEmail(waiting: string): Promise<boolean> {
  return save({ message_email: waiting }, 'blank', MESSAGE_EMAIL_WAITS);
}

async function save(change: ProfileChange, kind: 'success' | 'blank', notice: string): Promise<boolean> {
  try {
    await callApi(updateProfile, { body: change });
    showToast(kind, notice);
    reloadProfile();
    return true;
  } catch (error) {
    presentError(error, { toasts: 'keyed' });
    return false;
  }
}
