import type { RateLimit } from '../../platform/limits/limits.ts';

const HOUR = 3_600;

/** Calls per address, including rejected ones; a school or an office may share an address. */
export const MESSAGE_CALLS: RateLimit = { name: 'message-call', points: 240, perSec: HOUR };
/** Messages sent by visitors from one address. */
export const VISITOR_MESSAGES: RateLimit = { name: 'message-visitor', points: 5, perSec: HOUR };
/** Messages sent by one member. */
export const MEMBER_MESSAGES: RateLimit = { name: 'message-member', points: 20, perSec: HOUR };

/**
 * By recipient address, whichever artists use it, to prevent mail flooding. Visitors and members are counted
 * separately, so that visitors cannot keep members from writing.
 */
export const MAILS_OF_VISITORS: RateLimit = { name: 'message-to-visitor', points: 20, perSec: HOUR };
export const MAILS_OF_MEMBERS: RateLimit = { name: 'message-to-member', points: 40, perSec: HOUR };

/** Messages to the operator per address: too few to fill the operator's mailbox. */
export const CONTACT_MESSAGES: RateLimit = { name: 'contact', points: 5, perSec: 3_600 };
/** Calls per address, including rejected ones. */
export const CONTACT_CALLS: RateLimit = { name: 'contact-call', points: 60, perSec: 3_600 };
