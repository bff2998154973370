import { ApiError } from '../../../contract/errors.ts';
import {
  type ProfileChange,
  confirmEmail,
  confirmMessageEmail,
  updateProfile,
} from '../../../contract/profile.ts';
import { callApi } from '../../api/browser.ts';
import { takeFromAddress } from '../../browser/address.ts';
import { reloadProfile } from './query.ts';
import { attempt } from '../shared/attempt.ts';
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
 * Confirms a new address by the token of its mail and reports the result. The token is removed from the address once it
 * is of no further use: after a temporary failure, or when a log-in is needed first, the link can still be followed.
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

/** Keeps the current address: saving it again cancels the pending one. Returns whether it succeeded; never throws. */
export function cancelEmailChange(present: string): Promise<boolean> {
  return save({ email: present }, 'メールアドレスの変更を取り消しました。');
}

/** Like `cancelEmailChange`, for the address for messages. */
export function cancelMessageEmail(present: string): Promise<boolean> {
  return save({ message_email: present }, 'メッセージの宛先の変更を取り消しました。');
}

/** Sends the link to a pending address again, by saving that address again. */
export async function resendMessageEmail(waiting: string): Promise<boolean> {
  const isSent = await save({ message_email: waiting });
  if (isSent) showToast('blank', MESSAGE_EMAIL_WAITS);
  return isSent;
}

async function save(change: ProfileChange, done?: string): Promise<boolean> {
  const isSaved = await attempt(() => callApi(updateProfile, { body: change }), { done, toasts: 'keyed' });
  if (isSaved) reloadProfile();
  return isSaved;
}
