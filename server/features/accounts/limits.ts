import type { RateLimit } from '../../platform/limits/limits.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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
 * Wrong passwords for one e-mail address, from all devices that have never been logged in to it, and from those of one
 * provider. There need not be an account: whether there is one must not show. Counted by `guardPassword`. Beyond this
 * a new device gets in by a mailed link alone: a reset makes the browser a known device.
 */
export const UNKNOWN_DEVICE_FAILURES: RateLimit = { name: 'log-in-failure', points: 300, perSec: DAY };
export const PROVIDER_FAILURES: RateLimit = { name: 'provider-failure', points: 100, perSec: DAY };
/**
 * Wrong passwords from one known device, or one network of unknown ones, before it has to wait; so long at first. With
 * waits that double up to an hour, that is 38 a day.
 */
export const KNOWN_DEVICE_FAILURES: RateLimit = { name: 'device-failure', points: 10, perSec: MINUTE };

/** Mails to one address, so that nobody's letter box can be filled from here. The caller is not told. */
export const REGISTRATION_MAILS: RateLimit = { name: 'register-mail', points: 5, perSec: HOUR };
export const CONFIRMATION_MAILS: RateLimit = { name: 'confirm-mail', points: 3, perSec: HOUR };
export const RESET_MAILS: RateLimit = { name: 'forgot-mail', points: 5, perSec: HOUR };
