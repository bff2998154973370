import type { RateLimit } from '../../ports/rate-limits.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** By network address. */
export const REGISTRATIONS: RateLimit = { name: 'register', points: 10, perSec: HOUR };
export const LOG_INS: RateLimit = { name: 'log-in', points: 30, perSec: 15 * MINUTE };
export const REFRESHES: RateLimit = { name: 'refresh', points: 60, perSec: MINUTE };
export const RESET_REQUESTS: RateLimit = { name: 'forgot', points: 10, perSec: HOUR };
export const RESETS: RateLimit = { name: 'reset', points: 20, perSec: HOUR };
export const CONFIRMATIONS: RateLimit = { name: 'confirm', points: 60, perSec: HOUR };
/** More than the log-ins and refreshes that lead to one. */
export const LOG_OUTS: RateLimit = { name: 'log-out', points: 60, perSec: MINUTE };

/** By session. */
export const SESSION_REFRESHES: RateLimit = { name: 'session-refresh', points: 30, perSec: MINUTE };

/**
 * Wrong passwords for one e-mail address, from devices that have never been logged in to it. There
 * need not be an account: whether there is one must not show.
 */
export const UNKNOWN_DEVICE_FAILURES: RateLimit = { name: 'log-in-failure', points: 20, perSec: 15 * MINUTE };
/** Wrong passwords from one device that has been: whoever attacks the account cannot lock its owner out. */
export const KNOWN_DEVICE_FAILURES: RateLimit = { name: 'device-failure', points: 10, perSec: 15 * MINUTE };

/** Mails to one address, so that nobody's letter box can be filled from here. The caller is not told. */
export const REGISTRATION_MAILS: RateLimit = { name: 'register-mail', points: 5, perSec: HOUR };
export const CONFIRMATION_MAILS: RateLimit = { name: 'confirm-mail', points: 3, perSec: HOUR };
export const RESET_MAILS: RateLimit = { name: 'forgot-mail', points: 5, perSec: HOUR };
