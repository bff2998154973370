import * as v from 'valibot';
import { EmailSchema } from './emails.ts';
import { defineEndpoint } from './endpoint.ts';

/** Yen (spec §9). */
export const PAYOUT_MIN_YEN = 3_000;

/** Asks for the whole reward balance to be paid out; the address is the member's own (spec §7). */
export const requestTransfer = defineEndpoint({
  method: 'POST',
  path: '/api/finance/transfer-request/',
  body: v.object({ email: EmailSchema }),
  reply: v.unknown(),
  errors: {
    400: 'less than 3,000 yen, another address, or personal info that is not verified or incomplete',
    401: 'nobody is logged in',
    403: 'the member is blocked',
    409: 'a request is under way already',
    429: 'too many requests',
  },
});
