import { sendContact } from '../../../contract/contact.ts';
import { limitByAddress } from '../../http/address-limits.ts';
import type { Api } from '../../http/context.ts';
import { serve } from '../../http/serve.ts';
import type { RateLimit } from '../../ports/rate-limits.ts';
import { receiveMessage } from './service.ts';

/** For each network address: enough to correct oneself, too little to fill the operator's mailbox. */
const CONTACT_LIMIT: RateLimit = { name: 'contact', points: 5, perSec: 3_600 };

export function serveContact(api: Api): void {
  const { deps } = api;

  serve(api, sendContact, async ({ body, caller, address }) => {
    await limitByAddress(deps.rateLimits, CONTACT_LIMIT, address);
    await receiveMessage(deps, body, caller);
    return { detail: 'お問い合わせを受け付けました。' };
  });
}
