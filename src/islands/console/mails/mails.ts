import {
  type ListedMail,
  type ListedMailState,
  dropMail as dropMailCall,
  listMails,
} from '../../../../contract/operator/mails.ts';
import { retryMemberMail } from '../../../../contract/operator/members.ts';
import { callApi } from '../../../api/browser.ts';
import { ask } from '../../../stores/overlays/overlays.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { createPaged } from '../../../stores/shared/paged.ts';

/** The mails in a state, in one page. */
export const mailList = createPaged<ListedMail, ListedMailState>({
  idOf: ({ id }) => id,
  async read(state, _, signal) {
    const { results } = await callApi(listMails, { query: { state }, signal });
    return { results, next: null };
  },
});

/** Sends a waiting mail now. Never throws. */
export async function retryMail(id: string): Promise<void> {
  await attempt(() => callApi(retryMemberMail, { params: { id } }), { done: 'メールをもう一度送ります' });
  await mailList.reload();
}

/** Takes a waiting mail out of the queue after a question. Never throws. */
export async function dropMail({ id, to, subject }: ListedMail): Promise<void> {
  const text = `${to} への「${subject}」の本文を削除します。相手には届かず、元に戻せません。`;
  if (!(await ask({ title: 'このメールの送信をやめますか？', text, action: '送信をやめる' }))) return;
  await attempt(() => callApi(dropMailCall, { params: { id } }), { done: 'メールの送信をやめました' });
  await mailList.reload();
}
