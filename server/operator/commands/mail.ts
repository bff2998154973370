import { LISTED_MAX, listMails, retryMails } from '../../features/mail/mail.ts';
import type { MailState } from '../../features/mail/mail.ts';
import { toColumns, toTime } from '../columns.ts';
import type { Commands } from '../command.ts';
import { UsageError } from '../refusals.ts';

const STATES: readonly MailState[] = ['waiting', 'given-up', 'sent'];
/** Used instead of an id. */
const ALL = 'all';

export const mail: Commands = {
  list: {
    reads: true,
    takes: { state: STATES.join('|') },
    about: 'list waiting mails, or those of another state, newest first',
    takesJson: true,
    async run({ context, options, isJson, print }) {
      const state = STATES.find((each) => each === (options['state'] ?? 'waiting'));
      if (state === undefined) throw new UsageError(`--state must be one of ${STATES.join(', ')}`);
      const found = await listMails(context, state);
      if (isJson) return print(JSON.stringify(found, null, 2));
      if (found.length === 0) return print(`No mail is ${state}.`);
      print(
        toColumns(
          ['ID', 'SINCE', 'TO', 'ATTEMPTS', 'NEXT', 'LAST ERROR', 'SUBJECT'],
          found.map((each) => [
            each.id,
            toTime(each.createdAt),
            each.to,
            String(each.attempts),
            toTime(each.nextAttemptAt),
            each.lastError,
            each.subject,
          ]),
        ),
      );
      if (found.length === LISTED_MAX) print(`The list is limited to ${LISTED_MAX} rows.`);
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
