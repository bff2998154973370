import { DAY_SEC, HOUR_SEC } from '../../../contract/values/time-units.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

/** Calls per address, including rejected ones; a school or an office may share an address. */
export const MESSAGE_CALLS: RateLimit = { name: 'message-call', points: 240, perSec: HOUR_SEC };
/** Messages sent by visitors from one address. */
export const VISITOR_MESSAGES: RateLimit = { name: 'message-visitor', points: 5, perSec: HOUR_SEC };
/** Messages sent by one member. */
export const MEMBER_MESSAGES: RateLimit = { name: 'message-member', points: 20, perSec: HOUR_SEC };

/**
 * By recipient address, whichever artists use it, to prevent mail flooding. Visitors and members are counted
 * separately, so that visitors cannot keep members from writing.
 */
export const MAILS_OF_VISITORS: RateLimit = { name: 'message-to-visitor', points: 20, perSec: HOUR_SEC };
export const MAILS_OF_MEMBERS: RateLimit = { name: 'message-to-member', points: 40, perSec: HOUR_SEC };

/** Messages to the operator, each of at most 42 KB that are kept for a year. */
export const CONTACT_MESSAGES: RateLimit = { name: 'contact', points: 5, perSec: HOUR_SEC };
export const CONTACT_OF_NETWORK: RateLimit = { name: 'contact-network', points: 30, perSec: DAY_SEC };
/** Of the whole site: more than a person reads. Visitors cannot keep members from writing. */
export const CONTACT_OF_VISITORS: RateLimit = { name: 'contact-visitors', points: 300, perSec: DAY_SEC };
export const CONTACT_OF_MEMBERS: RateLimit = { name: 'contact-members', points: 300, perSec: DAY_SEC };
/** Messages that are mailed one by one; further ones come together, at most an hour later. */
export const CONTACT_MAILS: RateLimit = { name: 'contact-mail', points: 10, perSec: HOUR_SEC };
/** Calls per address, including rejected ones. */
export const CONTACT_CALLS: RateLimit = { name: 'contact-call', points: 60, perSec: HOUR_SEC };
