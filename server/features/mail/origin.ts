import type { MailOrigin } from '../../platform/mail/port.ts';
import { toBounceAddress } from './bounce-addresses.ts';

/** Who mails come from. With `mailBounces`, each has an address of its own that it comes back to. */
export function toMailOrigin(
  {
    mailFrom: from,
    mailEhlo: ehlo,
    mailBounces,
  }: { readonly mailFrom: MailOrigin['from']; readonly mailEhlo: string; readonly mailBounces: string },
  siteUrl: string,
  secret: Uint8Array,
): MailOrigin {
  if (mailBounces === '') return { from, siteUrl, ehlo };
  return { from, siteUrl, ehlo, toEnvelopeSender: (id) => toBounceAddress(mailBounces, id, secret) };
}
