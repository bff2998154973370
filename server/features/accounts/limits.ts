import { DAY_SEC, HOUR_SEC, MINUTE_SEC } from '../../../contract/values/time-units.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

/** By network address. Also refused ones, such as taken names. What is accepted is limited by its mail (mail-budget.ts). */
export const REGISTRATIONS: RateLimit = { name: 'register', points: 120, perSec: HOUR_SEC };
export const LOG_INS: RateLimit = { name: 'log-in', points: 30, perSec: 15 * MINUTE_SEC };
export const REFRESHES: RateLimit = { name: 'refresh', points: 60, perSec: MINUTE_SEC };
export const RESET_REQUESTS: RateLimit = { name: 'forgot', points: 10, perSec: HOUR_SEC };
export const RESETS: RateLimit = { name: 'reset', points: 20, perSec: HOUR_SEC };
export const CONFIRMATIONS: RateLimit = { name: 'confirm', points: 60, perSec: HOUR_SEC };
/** More than the log-ins and refreshes that can precede log-outs. */
export const LOG_OUTS: RateLimit = { name: 'log-out', points: 60, perSec: MINUTE_SEC };

/** By session. */
export const SESSION_REFRESHES: RateLimit = { name: 'session-refresh', points: 30, perSec: MINUTE_SEC };

/**
 * Wrong passwords for one e-mail address, from all devices that have never logged in to it, and from those of one
 * provider. Also applies to addresses without an account, so that the limit does not disclose whether one exists.
 * Counted by `guardPassword`. Beyond this limit, a new device can only log in through a mailed link: a password reset
 * makes the browser a known device.
 */
export const UNKNOWN_DEVICE_FAILURES: RateLimit = { name: 'log-in-failure', points: 300, perSec: DAY_SEC };
export const PROVIDER_FAILURES: RateLimit = { name: 'provider-failure', points: 100, perSec: DAY_SEC };
/**
 * Wrong passwords from one known device, or from one network of unknown devices, before it has to wait, and the first
 * waiting time. Waits double up to an hour, which allows 38 attempts a day.
 */
export const KNOWN_DEVICE_FAILURES: RateLimit = { name: 'device-failure', points: 10, perSec: MINUTE_SEC };

/**
 * Wrong codes of a second factor from all devices that have never given one, which need the password before. Known
 * devices are counted by `KNOWN_DEVICE_FAILURES`, and recovery codes not at all: they cannot be guessed
 * (decision 135).
 */
export const CODE_FAILURES: RateLimit = { name: 'code-failure', points: 30, perSec: DAY_SEC };
/** By member: mails that somebody with the password guesses codes. */
export const CODE_WARNINGS: RateLimit = { name: 'code-warning', points: 1, perSec: DAY_SEC };

/** Mails to one address, to prevent mail flooding. The limit is not disclosed to the caller. */
export const REGISTRATION_MAILS: RateLimit = { name: 'register-mail', points: 5, perSec: HOUR_SEC };
export const CONFIRMATION_MAILS: RateLimit = { name: 'confirm-mail', points: 3, perSec: HOUR_SEC };
export const RESET_MAILS: RateLimit = { name: 'forgot-mail', points: 5, perSec: HOUR_SEC };
/** By member: that a session ended because an old token was used. */
export const SESSION_ENDED_MAILS: RateLimit = { name: 'session-ended-mail', points: 3, perSec: DAY_SEC };
