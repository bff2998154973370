import { findAccount } from '../../accounts/queries.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { queueMail } from '../../mail/service.ts';
import { toDigestMail } from './mail.ts';
import { takeUnmailed } from './queries.ts';
import type { ContactOptions } from './service.ts';
import type { Handle } from '../../../platform/database/handle.ts';

/** Messages in one mail: of the longest ones, 2 MB with their HTML. */
const MESSAGES_IN_MAIL = 20;

/**
 * Mails the operator the messages that have no mail of their own, oldest first. Of several processes, one mails each
 * message.
 */
export async function mailDigest({
  database,
  clock,
  siteName,
  operatorEmail,
}: Pick<Platform, 'database' | 'clock' | 'siteName'> & ContactOptions): Promise<void> {
  for (let mailed = MESSAGES_IN_MAIL; mailed === MESSAGES_IN_MAIL;) {
    mailed = await database.db.transaction().execute(async (transaction: Handle) => {
      const rows = await takeUnmailed(transaction, MESSAGES_IN_MAIL);
      if (rows.length === 0) return 0;
      const messages = [];
      for (const { user_id, ...message } of rows) {
        const sender = user_id === null ? undefined : await findAccount(transaction, user_id);
        messages.push({ ...message, username: sender?.username ?? null });
      }
      await queueMail(transaction, toDigestMail(messages, siteName, operatorEmail), clock.now());
      return rows.length;
    });
  }
}
