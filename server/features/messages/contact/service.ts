import type { InferOutput } from 'valibot';
import type { ContactSchema } from '../../../../contract/site/contact.ts';
import { randomId } from '../../../platform/database/statements/random-id.ts';
import type { Caller, Platform } from '../../../platform/http/context.ts';
import { TooManyRequests, isWithinLimit } from '../../../platform/limits/rate-limits.ts';
import type { RateLimit } from '../../../platform/limits/rate-limits.ts';
import { queueMail } from '../../mail/service.ts';
import { CONTACT_MAILS, CONTACT_OF_MEMBERS, CONTACT_OF_VISITORS } from '../limits.ts';
import { toContactMail } from './mail.ts';
import { insertContactMessage } from './queries.ts';
import type { Handle } from '../../../platform/database/handle.ts';

export interface ContactOptions {
  /** Recipient of messages to the operator. */
  readonly operatorEmail: string;
}

/**
 * Stores a message and queues its mail to the operator in one transaction; when many come, it is left to the next mail
 * about all of them (digest.ts). `sender` is null for a visitor. Throws `TooManyRequests` at the limit of the site.
 */
export async function receiveMessage(
  deps: Pick<Platform, 'database' | 'clock' | 'siteName' | 'rateLimits'> & ContactOptions,
  { name, email, message }: InferOutput<typeof ContactSchema>,
  sender: Pick<Caller, 'id' | 'username'> | null,
): Promise<void> {
  const id = randomId();
  const nowMs = deps.clock.now();
  const mail = toContactMail(
    { id, name, email, message, username: sender?.username ?? null },
    deps.siteName,
    deps.operatorEmail,
  );
  await takeRoom(deps, sender === null ? CONTACT_OF_VISITORS : CONTACT_OF_MEMBERS);
  const isMailed = await isWithinLimit(deps.rateLimits, CONTACT_MAILS, '');
  await deps.database.db.transaction().execute(async (transaction: Handle) => {
    const row = { id, name, email, message, user_id: sender?.id ?? null, created_at: nowMs };
    await insertContactMessage(transaction, { ...row, is_mailed: isMailed ? 1 : 0 });
    if (isMailed) await queueMail(transaction, mail, nowMs);
  });
}

async function takeRoom({ rateLimits }: Pick<Platform, 'rateLimits'>, limit: RateLimit): Promise<void> {
  try {
    await rateLimits.take(limit, '');
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    throw new TooManyRequests(error.retryAfterSec, '', FULL);
  }
}

const FULL = 'お問い合わせがとても多いため、いまは受け付けられません。';
