import type { RateLimit } from '../../ports/rate-limits.ts';

const HOUR = 3_600;

/** By network address, for visitors. */
export const VISITOR_MESSAGES: RateLimit = { name: 'message-visitor', points: 5, perSec: HOUR };
/** By member. */
export const MEMBER_MESSAGES: RateLimit = { name: 'message-member', points: 20, perSec: HOUR };

/**
 * By the address that they go to, whichever artists name it: nobody's letter box can be filled from
 * here. Counted apart, so that visitors cannot keep members from writing.
 */
export const MAILS_OF_VISITORS: RateLimit = { name: 'message-to-visitor', points: 20, perSec: HOUR };
export const MAILS_OF_MEMBERS: RateLimit = { name: 'message-to-member', points: 40, perSec: HOUR };
