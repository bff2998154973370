import { LISTED_MAX, listMails, retryMails } from '../../features/mail/mail.ts';
import type { MailState } from '../../features/mail/mail.ts';
import { toColumns, toTime } from '../columns.ts';
import type { Command } from '../command.ts';
import { UsageError } from '../refusals.ts';

const STATES: readonly MailState[] = ['waiting', 'given-up', 'sent'];
/** Used instead of an id. */
const ALL = 'all';

export const mail: Readonly<Record<string, Command>> = {
  list: {
    reads: true,
    takes: ['state'],
    about: `mails that wait to be sent, or of another state (${STATES.join(', ')}), the newest first`,
    takesJson: true,
    async run({ context, chosen, isJson, print }) {
      const state = STATES.find((each) => each === (chosen.state ?? 'waiting'));
      if (state === undefined) throw new UsageError(`--state is one of ${STATES.join(', ')}`);
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
      if (found.length === LISTED_MAX) print(`There may be more than these ${LISTED_MAX}.`);
    },
  },
  retry: {
    target: 'ID',
    about: `send a waiting mail now, or with "${ALL}" every one; what was given up has no text any more`,
    async run({ context, target, requireStaff, print }) {
      const staff = await requireStaff();
      const mails = await retryMails(context, staff.id, target === ALL ? null : target);
      print(
        `${mails} ${mails === 1 ? 'mail is' : 'mails are'} due; the running server sends within seconds.`,
      );
    },
  },
};
