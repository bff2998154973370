import type { InferOutput } from 'valibot';
import type { ContactSchema } from '../../../../contract/contact.ts';
import { randomId } from '../../../platform/database/database.ts';
import type { Caller, Platform } from '../../../platform/http/http.ts';
import { queueMail } from '../../mail/mail.ts';
import { toContactMail } from './mail.ts';
import { insertContactMessage } from './queries.ts';

export interface ContactOptions {
  /** Recipient of messages to the operator. */
  readonly operatorEmail: string;
}

/** Stores a message and queues its mail to the operator in one transaction. `sender` is null for a visitor. */
export async function receiveMessage(
  deps: Pick<Platform, 'database' | 'clock' | 'siteName'> & ContactOptions,
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
  await deps.database.db.transaction().execute(async (transaction) => {
    const row = { id, name, email, message, user_id: sender?.id ?? null, created_at: nowMs };
    await insertContactMessage(transaction, row);
    await queueMail(transaction, mail, nowMs);
  });
}
