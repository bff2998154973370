import { atom } from 'nanostores';
import * as v from 'valibot';
import { MESSAGE_LENGTH_MAX, MessageTextSchema, sendMessage } from '../../../contract/messages.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../lib/extended-host.ts';
import { readDraft, saveDraft } from '../../lib/drafts.ts';
import { $session } from '../session/session.ts';
import { presentError } from '../shared/request-errors.ts';
import { showToast } from '../overlays/overlays.ts';

export { sendContact } from './contact.ts';

export const MESSAGE_SENT = 'メッセージを送信しました。';
/** Spec §8. */
const FAILURE = '送信に失敗しました。時間をおいて再度お試しください。';

export interface MessageState {
  readonly state: 'closed' | 'editing' | 'sending' | 'sent';
  readonly text: string;
  /** The response to the last attempt. */
  readonly problems: readonly string[];
}

/** The recipient, as in the artist's public profile. */
export interface Recipient {
  readonly username: string;
  readonly email: string;
}

/** A message to an artist. Its text survives closing the dialog, failures and leaving the page. */
export function createMessage({ username, email }: Recipient) {
  const draft = `message:${username}`;
  const $message = atom<MessageState>({ state: 'closed', text: '', problems: [] });
  let isSending = false;
  const change = (changes: Partial<MessageState>) => $message.set({ ...$message.get(), ...changes });

  function open(): void {
    const { state, text } = $message.get();
    if (state !== 'closed') return;
    change({ state: isSending ? 'sending' : 'editing', text: text || (readDraft(draft)['text'] ?? '') });
  }

  /** A message that is being sent is not cancelled. */
  function close(): void {
    change({ state: 'closed' });
  }

  function write(text: string): void {
    if ($message.get().state !== 'editing') return;
    change({ text, problems: [] });
    saveDraft(draft, { text });
  }

  /** `isEmailShared`: the artist may see the member's address, to answer. */
  async function send({ isEmailShared }: { isEmailShared: boolean }): Promise<void> {
    const { state, text } = $message.get();
    if (state !== 'editing' || !canSend(text)) return;
    const checked = v.safeParse(MessageTextSchema, text);
    if (!checked.success) return change({ problems: checked.issues.map(({ message }) => message) });
    isSending = true;
    change({ state: 'sending', problems: [] });
    try {
      const share = isEmailShared && canShareEmail() && { share_email: true };
      await callApi(sendMessage, {
        body: { artist_username: username, text: checked.output, recipient_email: email, ...share },
      });
      saveDraft(draft, {});
      finish({ state: 'sent', text: '' });
    } catch (error) {
      finish({ state: 'editing', problems: toProblems(error) });
    }
  }

  /** A toast reports it if the dialog has been closed. */
  function finish(changes: Partial<MessageState>): void {
    isSending = false;
    if ($message.get().state !== 'closed') return change(changes);
    change({ ...changes, state: 'closed' });
    if (changes.state === 'sent') showToast('success', MESSAGE_SENT);
    for (const problem of changes.problems ?? []) showToast('error', problem);
  }

  return { $message, open, close, write, send };
}

/** Whether the host can give the artist the address of a member who writes. */
export function canShareEmail(): boolean {
  return $session.get().isAuthenticated && isExtended();
}

/** In characters as users count them (graphemes). */
export function countCharacters(text: string): number {
  return [...text].length;
}

export function canSend(text: string): boolean {
  return text.trim() !== '' && countCharacters(text) <= MESSAGE_LENGTH_MAX;
}

/** Spec §8: the reply's own message, else the specification's. */
function toProblems(error: unknown): readonly string[] {
  const { problems, isExplained } = presentError(error, { toasts: 'none' });
  return isExplained ? problems : [FAILURE];
}
