import { LISTED_MAILS_MAX, MAIL_STATES } from '../../../contract/operator/mails.ts';
import { dropMail, listMails, retryMails } from '../../features/mail/staff.ts';
import { recordBounce } from '../../features/mail/bounces.ts';
import { openSecret } from '../../platform/crypto/secrets.ts';
import type { Commands } from '../command.ts';
import { readInput } from '../inputs.ts';
import { UsageError } from '../refusals.ts';
import { printReply } from '../replies.ts';

/** Used instead of an id. */
const ALL = 'all';

export const mail: Commands = {
  list: {
    reads: true,
    takes: { state: MAIL_STATES.join('|') },
    about: 'list waiting mails, or those of another state, newest first',
    takesJson: true,
    async run(call) {
      const state = MAIL_STATES.find((each) => each === (call.options['state'] ?? 'waiting'));
      if (state === undefined) throw new UsageError(`--state must be one of ${MAIL_STATES.join(', ')}`);
      const found = await listMails(call.context, state);
      printReply(call, found);
      if (found.length === LISTED_MAILS_MAX && !call.isJson)
        call.print(`The list is limited to ${LISTED_MAILS_MAX} rows.`);
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
  drop: {
    target: 'ID',
    about: 'take a waiting mail out of the queue; its recipient never gets it',
    async run({ context, target, requireStaff, print }) {
      await dropMail(context, (await requireStaff()).id, target);
      print('The mail is out of the queue, and its text is deleted.');
    },
  },
  bounce: {
    target: 'FILE',
    takes: { recipient: 'ADDRESS' },
    about: 'record a mail that came back, from a file, or "-" for the standard input of a mail server',
    async run({ context, target, options, print }) {
      const message = target === '-' ? await readPiped() : await readInput(target, MESSAGE_BYTES_MAX);
      const secret = openSecret(context.settings, 'sessions');
      const { outcome, status = '' } = await recordBounce(
        context,
        secret,
        message,
        options['recipient'] ?? '',
      );
      print(BOUNCE_TEXTS[outcome].replace('STATUS', status));
    },
  },
};

/** Mail servers return at most the message that was sent, and ours are small. */
const MESSAGE_BYTES_MAX = 10 * 1024 ** 2;

const BOUNCE_TEXTS = {
  recorded: 'The mail came back: STATUS.',
  ignored: 'Nothing to record: the message reports no failed delivery.',
  unknown: 'Nothing to record: no mail of this site, or one that is known to have come back.',
} as const;

/** Reads all that is sent, so that the mail server sees no closed pipe, and returns what is needed. */
async function readPiped(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    if (bytes < MESSAGE_BYTES_MAX) chunks.push(chunk);
    bytes += chunk.byteLength;
  }
  return Buffer.concat(chunks);
}
