import { sendContact } from '../../../contract/contact.ts';
import { sendMessage } from '../../../contract/messages.ts';
import {
  accepted,
  byAddress,
  byMember,
  byVisitorAddress,
  declare,
  inService,
} from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { deleteOldContactMessages } from './contact/queries.ts';
import { CONTACT_CALLS, CONTACT_MESSAGES, serveContact } from './contact/routes.ts';
import type { ContactOptions } from './contact/service.ts';
import * as limits from './limits.ts';
import { serveMessages } from './routes.ts';

interface MessagesOptions extends ContactOptions {
  /** For how long messages to the operator are kept, in days. */
  readonly retainMessagesDays: number;
}

const DAY_MS = 86_400_000;

/** Messages to artists and to the operator. */
export function createMessagesModule(options: MessagesOptions): Module {
  return {
    name: 'messages',
    access: [
      declare(
        sendContact,
        'anyone',
        'nothing',
        byAddress(CONTACT_CALLS),
        accepted(byAddress(CONTACT_MESSAGES)),
      ),
      declare(
        sendMessage,
        'anyone not blocked',
        'public',
        byAddress(limits.MESSAGE_CALLS),
        accepted(byVisitorAddress(limits.VISITOR_MESSAGES)),
        accepted(byMember(limits.MEMBER_MESSAGES)),
        inService('e-mail address', limits.MAILS_OF_VISITORS),
        inService('e-mail address', limits.MAILS_OF_MEMBERS),
      ),
    ],
    serve(api) {
      serveContact(api, options);
      serveMessages(api);
    },
    scheduledJobs: ({ database, clock }) => [
      {
        name: 'old messages to the operator',
        run: () => deleteOldContactMessages(database.db, clock.now() - options.retainMessagesDays * DAY_MS),
      },
    ],
  };
}
