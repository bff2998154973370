import { ApiError } from '../../../contract/calls/errors.ts';
import {
  type ProfileChange,
  confirmEmail,
  confirmMessageEmail,
  updateProfile,
} from '../../../contract/accounts/profile.ts';
import { callApi } from '../../api/browser.ts';
import { createMailedLink, isLinkRefused } from '../../browser/mailed-link.ts';
import { reloadProfile } from './query.ts';
import { attempt } from '../shared/attempt.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';
import { showToast } from '../overlays/overlays.ts';

export const MESSAGE_EMAIL_WAITS =
  '確認のメールを送りました。リンクを開くと、メッセージがこの宛先に届くようになります。';

/** The links that lead to the profile. */
const LINKS = [
  {
    link: createMailedLink({ key: 'email', names: ['email_token'] }),
    call: confirmEmail,
    done: '新しいメールアドレスを確認しました。',
  },
  {
    link: createMailedLink({ key: 'message-email', names: ['message_email_token'] }),
    call: confirmMessageEmail,
    done: 'メッセージの宛先を確認しました。',
  },
] as const;

/** Why the last link could not be followed, as long as it can be tried again. */
export const $emailLinkProblems = memberAtom<readonly string[]>([]);

/**
 * Confirms a new address by the token of its mail and reports the result. After an outage, or when a log-in is needed
 * first, the link can still be followed. Never throws.
 */
export async function followEmailLinks(): Promise<void> {
  if (isFollowing) return;
  isFollowing = true;
  $emailLinkProblems.set([]);
  for (const each of LINKS) await confirmByLink(each);
  isFollowing = false;
}

let isFollowing = false;

async function confirmByLink({ link, call, done }: (typeof LINKS)[number]): Promise<void> {
  const opened: Readonly<Record<string, string>> | null = link.read();
  if (opened === null) return;
  const [token = ''] = Object.values(opened);
  const member = memberSignal();
  try {
    await callApi(call, { body: { token } });
    link.drop();
    showToast('success', done);
    reloadProfile();
  } catch (error) {
    const isOver = isLinkRefused(error) && !(error instanceof ApiError && error.status === 401);
    if (isOver) link.drop();
    const { problems } = presentError(error, { toasts: isOver ? 'each' : 'none' });
    if (!isOver && !member.aborted) $emailLinkProblems.set(problems);
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
