import { DAY_SEC, HOUR_SEC, MINUTE_SEC } from '../../../contract/values/time-units.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

/** By member. */
export const PROFILE_READS: RateLimit = { name: 'profile-read', points: 600, perSec: 10 * MINUTE_SEC };
export const PROFILE_CHANGES: RateLimit = { name: 'profile-change', points: 60, perSec: 10 * MINUTE_SEC };
export const RENAMES: RateLimit = { name: 'rename', points: 3, perSec: DAY_SEC };
/** Each change is mailed to the current address, whose mailbox must not be flooded. */
export const EMAIL_CHANGES: RateLimit = { name: 'email-change', points: 5, perSec: HOUR_SEC };
/** Each change is mailed with a link whose earlier values are kept for 7 days. A new member fills in ten fields. */
export const GUARDED_CHANGES: RateLimit = { name: 'guarded-change', points: 30, perSec: DAY_SEC };

/** Per member, for both pictures together: enough to try things out, too few to occupy a core. */
export const PICTURES: RateLimit = { name: 'profile-pictures', points: 20, perSec: 600 };
