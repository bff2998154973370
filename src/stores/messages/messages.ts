import * as v from 'valibot';
import { ContactSchema, sendContact } from '../../../contract/site/contact.ts';
import { MessageTextSchema, sendMessage } from '../../../contract/artists/messages.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { showToast } from '../overlays/overlays.ts';
import { $session } from '../session/session.ts';
import { createForm } from '../shared/form.ts';

export const MESSAGE_SENT = 'メッセージを送信しました。';
/** Spec §8. */
const FAILURE = '送信に失敗しました。時間をおいて再度お試しください。';

/** The recipient, as in the artist's public profile. */
export interface Recipient {
  readonly username: string;
  readonly email: string;
}

/** A message to an artist. Its text survives closing the dialog, failures and leaving the page. */
export function createMessage({ username, email }: Recipient) {
  let isOpen = false;
  const form = createForm({
    schema: v.object({
      text: MessageTextSchema,
      /** The artist may see the member's address, to answer. */
      share_email: v.optional(v.boolean(), false),
    }),
    draft: `message:${username}`,
    explain: ({ fields, problems, isExplained }) => {
      const texts = isExplained ? problems : [FAILURE];
      if (!isOpen) {
        for (const text of [...fields.map(({ message }) => message), ...texts]) showToast('error', text);
      }
      return texts;
    },
    send: async ({ text, share_email }) => {
      const share = share_email && canShareEmail() && { share_email };
      await callApi(sendMessage, {
        body: { artist_username: username, text, recipient_email: email, ...share },
      });
      if (!isOpen) showToast('success', MESSAGE_SENT);
    },
  });

  /** Returns the function that closes it. A message that is being sent continues; a toast reports it. */
  function open(): () => void {
    isOpen = true;
    if (form.$form.get().state === 'done') form.reset();
    return () => {
      isOpen = false;
    };
  }

  return { form, open };
}

/** A message to the operator. */
export function createContact() {
  return createForm({
    schema: ContactSchema,
    draft: 'contact',
    send: (message) => callApi(sendContact, { body: message }),
  });
}

/** Whether the host can give the artist the address of a member who writes. */
export function canShareEmail(): boolean {
  return $session.get().isAuthenticated && isExtended();
}
