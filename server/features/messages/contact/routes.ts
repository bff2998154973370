import { sendContact } from '../../../../contract/contact.ts';
import { serve } from '../../../platform/http/http.ts';
import type { Api } from '../../../platform/http/http.ts';
import type { RateLimit } from '../../../platform/limits/limits.ts';
import { receiveMessage } from './service.ts';
import type { ContactOptions } from './service.ts';

/** Messages per address: too few to fill the operator's mailbox. */
export const CONTACT_MESSAGES: RateLimit = { name: 'contact', points: 5, perSec: 3_600 };
/** Calls per address, including rejected ones. */
export const CONTACT_CALLS: RateLimit = { name: 'contact-call', points: 60, perSec: 3_600 };

export function serveContact(api: Api, options: ContactOptions): void {
  const deps = { ...api.platform, ...options };

  serve(api, sendContact, async ({ body, caller }) => {
    await receiveMessage(deps, body, caller);
    return { detail: 'お問い合わせを受け付けました。' };
  });
}
