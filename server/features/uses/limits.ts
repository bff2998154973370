import { DAY_MS, DAY_SEC, HOUR_SEC } from '../../../contract/values/time-units.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

/** Calls per address, including rejected ones. */
export const USE_CALLS: RateLimit = { name: 'use-call', points: 60, perSec: HOUR_SEC };
/** Uses reported from one address, and from one network, which a carrier's customers may share. */
export const USES: RateLimit = { name: 'use', points: 5, perSec: DAY_SEC };
export const USES_OF_NETWORK: RateLimit = { name: 'use-network', points: 10, perSec: DAY_SEC };
/** Decisions and settings of one artist. */
export const USE_DECISIONS: RateLimit = { name: 'use-decision', points: 600, perSec: HOUR_SEC };

/** Uses that wait for one artist; further ones are refused until some are decided or deleted. */
export const WAITING_PER_ARTIST_MAX = 200;

/** A use that its artist never decides about, and one that the artist hid. */
export const WAITING_RETENTION_MS = 180 * DAY_MS;
export const HIDDEN_RETENTION_MS = 90 * DAY_MS;
/** An artist gets one mail in this time. */
export const MAIL_PAUSE_MS = 7 * DAY_MS;
