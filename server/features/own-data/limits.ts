import { DAY_SEC, HOUR_SEC } from '../../../contract/values/time-units.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

export const PREVIEWS: RateLimit = { name: 'deletion-preview', points: 60, perSec: HOUR_SEC };
/** Each accepted one ends the session; the rest are corrections of the amount. */
export const DELETIONS: RateLimit = { name: 'deletion-request', points: 10, perSec: HOUR_SEC };

export const EXPORT_REQUESTS: RateLimit = { name: 'data-export-request', points: 30, perSec: HOUR_SEC };
/** Each one reads all rows of a member. */
export const EXPORTS: RateLimit = { name: 'data-export', points: 5, perSec: DAY_SEC };
/** Downloads by the link, which works for a minute and may be repeated after a lost connection. */
export const EXPORT_CALLS: RateLimit = { name: 'data-export-call', points: 60, perSec: HOUR_SEC };
