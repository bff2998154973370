import type { Platform } from '../../platform/http/context.ts';
import { findBouncedMail } from './bounce-addresses.ts';
import { parseDeliveryStatus } from './delivery-status.ts';
import { markBounced } from './queries.ts';

/**
 * `recorded`: a mail of this site came back. `ignored`: the message reports no final failure. `unknown`: it has no
 * address that this site made, or its mail is deleted or came back before.
 */
export type BounceOutcome = 'recorded' | 'ignored' | 'unknown';

/**
 * Records that a mail came back. `recipient` is the address that the mail server delivers the message to, if it says
 * so; otherwise those in the head count. Either needs the mark of this site, so nobody can invent a bounce of a mail
 * that was not sent to him.
 */
export async function recordBounce(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  secret: Uint8Array,
  message: Uint8Array,
  recipient: string,
): Promise<{ readonly outcome: BounceOutcome; readonly status?: string }> {
  const parsed = parseDeliveryStatus(message);
  if (parsed?.action !== 'failed') return { outcome: 'ignored' };
  const { status } = parsed;
  for (const address of [recipient, ...parsed.recipients]) {
    const id = findBouncedMail(address, secret);
    if (id === undefined) continue;
    const isRecorded = await markBounced(database.db, id, { status, atMs: clock.now() });
    return { outcome: isRecorded ? 'recorded' : 'unknown', status };
  }
  return { outcome: 'unknown', status };
}
