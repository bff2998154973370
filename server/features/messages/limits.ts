import type { RateLimit } from '../../platform/limits/limits.ts';

const HOUR = 3_600;

/** Calls from one address, refused ones too; a school or an office may share it. */
export const MESSAGE_CALLS: RateLimit = { name: 'message-call', points: 240, perSec: HOUR };
/** Messages sent from one address by visitors. */
export const VISITOR_MESSAGES: RateLimit = { name: 'message-visitor', points: 5, perSec: HOUR };
/** Messages sent by one member. */
export const MEMBER_MESSAGES: RateLimit = { name: 'message-member', points: 20, perSec: HOUR };

/**
 * By the address that they go to, whichever artists name it: nobody's letter box can be filled from
 * here. Counted apart, so that visitors cannot keep members from writing.
 */
export const MAILS_OF_VISITORS: RateLimit = { name: 'message-to-visitor', points: 20, perSec: HOUR };
export const MAILS_OF_MEMBERS: RateLimit = { name: 'message-to-member', points: 40, perSec: HOUR };
