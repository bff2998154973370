import { DAY_MS } from '../../../contract/values/time-units.ts';
import { sendContact } from '../../../contract/site/contact.ts';
import { sendMessage as sendMessageCall } from '../../../contract/artists/messages.ts';
import {
  accepted,
  byAddress,
  byMember,
  byNetwork,
  byVisitorAddress,
  inService,
} from '../../platform/http/access.ts';
import { mailing } from '../../platform/http/mail-budget.ts';
import { route, withDeps } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Feature } from '../feature.ts';
import { CONTACT_ERASURE } from './contact/erasure.ts';
import { CONTACT_FILE } from './contact/export.ts';
import { mailDigest } from './contact/digest.ts';
import { deleteOldContactMessages } from './contact/queries.ts';
import { receiveMessage } from './contact/service.ts';
import type { ContactOptions } from './contact/service.ts';
import * as limits from './limits.ts';
import { sendMessage } from './service.ts';

interface MessagesOptions extends ContactOptions {
  /** For how long messages to the operator are kept, in days. */
  readonly retainMessagesDays: number;
}

const ROUTES: readonly Route<Platform & MessagesOptions>[] = [
  route(
    sendContact,
    {
      caller: 'anyone',
      owner: 'nothing',
      limits: [
        byAddress(limits.CONTACT_CALLS),
        accepted(byAddress(limits.CONTACT_MESSAGES)),
        accepted(byNetwork(limits.CONTACT_OF_NETWORK)),
        inService('site', limits.CONTACT_OF_VISITORS),
        inService('site', limits.CONTACT_OF_MEMBERS),
        { ...inService('site', limits.CONTACT_MAILS), isSilent: true },
      ],
      mails: mailing(1),
    },
    async ({ body, caller }, deps) => {
      await receiveMessage(deps, body, caller);
      return { detail: 'お問い合わせを受け付けました。' };
    },
  ),

  route(
    sendMessageCall,
    {
      caller: 'anyone not blocked',
      owner: 'public',
      limits: [
        byAddress(limits.MESSAGE_CALLS),
        accepted(byVisitorAddress(limits.VISITOR_MESSAGES)),
        accepted(byMember(limits.MEMBER_MESSAGES)),
        inService('e-mail address', limits.MAILS_OF_VISITORS),
        inService('e-mail address', limits.MAILS_OF_MEMBERS),
      ],
      mails: mailing(1),
    },
    async ({ body, caller }, deps) => {
      await sendMessage(deps, body, caller);
      return { detail: 'メッセージを送信しました。' };
    },
  ),
];

/** Messages to artists and to the operator. */
export const messagesFeature: Feature<MessagesOptions> = {
  name: 'messages',
  erasure: CONTACT_ERASURE,
  exports: [CONTACT_FILE],
  openOptions: ({ settings: { operatorEmail, retainMessagesDays } }) => ({
    operatorEmail,
    retainMessagesDays,
  }),
  apiTexts: () => import('./api-texts.ts'),
  createModule: (options) => ({
    routes: withDeps((platform) => ({ ...platform, ...options }), ROUTES),
    scheduledJobs: (platform) => [
      { name: 'messages for the operator', run: () => mailDigest({ ...platform, ...options }) },
      {
        name: 'old messages to the operator',
        run: () =>
          deleteOldContactMessages(
            platform.database.db,
            platform.clock.now() - options.retainMessagesDays * DAY_MS,
          ),
      },
    ],
  }),
};
