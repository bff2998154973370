import type { InferOutput } from 'valibot';
import type { sendMessage as sendMessageCall } from '../../../contract/artists/messages.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { findAccount } from '../accounts/queries.ts';
import { toMailboxKey } from '../accounts/users.ts';
import { findArtist } from '../artists/service.ts';
import { queueMail } from '../mail/service.ts';
import { MAILS_OF_MEMBERS, MAILS_OF_VISITORS } from './limits.ts';
import { toMessageMail } from './mail.ts';
import type { MessageSender } from './mail.ts';
import { findRecipient } from './queries.ts';

type Message = InferOutput<(typeof sendMessageCall)['body']>;

/**
 * Mails a message to the address in the artist's profile, never to one from the caller. Nothing is stored except in the
 * outbox. Throws `Problem` 404 when there is no such artist, 400 when the artist accepts no messages or is the caller,
 * and `TooManyRequests`.
 */
export async function sendMessage(deps: Platform, message: Message, caller: Caller | null): Promise<void> {
  const { database, clock, rateLimits } = deps;
  const artist = await findArtist(database, message.artist_username);
  const recipient = artist && (await findRecipient(database.db, artist.id));
  if (artist === undefined || recipient === undefined) throw notFound();
  if (artist.id === caller?.id) {
    throw new Problem(400, { artist_username: 'ご自身にメッセージを送ることはできません。' });
  }
  if (recipient.message_email === '') {
    throw new Problem(400, { recipient_email: 'このアーティストは、メッセージを受け付けていません。' });
  }

  const limit = caller === null ? MAILS_OF_VISITORS : MAILS_OF_MEMBERS;
  await rateLimits.take(limit, toMailboxKey(recipient.message_email));
  const sender = caller && (await findSender(deps, caller, message.share_email));
  const mail = toMessageMail(deps, recipient, sender, message.text);
  await queueMail(database.db, mail, clock.now());
}

/** What the artist learns about a member: the name, and the reply channels that the member has enabled. */
async function findSender(
  { database }: Platform,
  { id, username }: Caller,
  isEmailShared: boolean,
): Promise<MessageSender> {
  if (isEmailShared)
    return { username, email: (await findAccount(database.db, id))?.email ?? null, page: null };
  const artist = await findArtist(database, username);
  return { username, email: null, page: artist?.takesMessages ? artist.username : null };
}
