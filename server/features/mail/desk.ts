import { dropMail, listMails } from '../../../contract/operator/mails.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { dropMail as dropMailAsStaff, listMails as selectMails } from './staff.ts';
import { DECIDING_RECENTLY, READING } from '../staff/rules.ts';

/** The queue of mails in the console: causes and states, never texts or whole addresses. */
export const MAIL_ROUTES: readonly Route[] = [
  route(listMails, READING, async ({ query: { state = 'waiting' } }, platform: Platform) => ({
    results: (await selectMails(platform, state)).map((mail) => ({
      id: mail.id,
      to: mail.to,
      subject: mail.subject,
      attempts: mail.attempts,
      created_at: mail.createdAt,
      next_attempt_at: mail.nextAttemptAt,
      cause: mail.lastError,
    })),
  })),

  route(dropMail, DECIDING_RECENTLY, async ({ params: { id }, caller }, platform: Platform) => {
    await dropMailAsStaff(platform, caller.id, id);
    return { state: 'given-up' as const };
  }),
];
