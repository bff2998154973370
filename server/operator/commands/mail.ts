import { LISTED_MAX, listMails, retryMails } from '../../features/mail/mail.ts';
import type { MailState } from '../../features/mail/mail.ts';
import type { Commands } from '../command.ts';
import { UsageError } from '../refusals.ts';
import { printReply } from '../replies.ts';

const STATES: readonly MailState[] = ['waiting', 'given-up', 'sent'];
/** Used instead of an id. */
const ALL = 'all';

export const mail: Commands = {
  list: {
    reads: true,
    takes: { state: STATES.join('|') },
    about: 'list waiting mails, or those of another state, newest first',
    takesJson: true,
    async run(call) {
      const state = STATES.find((each) => each === (call.options['state'] ?? 'waiting'));
      if (state === undefined) throw new UsageError(`--state must be one of ${STATES.join(', ')}`);
      const found = await listMails(call.context, state);
      printReply(call, found);
      if (found.length === LISTED_MAX && !call.isJson)
        call.print(`The list is limited to ${LISTED_MAX} rows.`);
    },
  },
  retry: {
    target: 'ID',
    about: `send a waiting mail now, or all with "${ALL}"; the text of given-up mails is deleted`,
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      const mails = await retryMails(context, staff.id, target === ALL ? null : target);
      print(
        `${mails} ${mails === 1 ? 'mail is' : 'mails are'} due; the running server sends within seconds.`,
      );
    },
  },
};
