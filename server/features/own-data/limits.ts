import type { RateLimit } from '../../platform/limits/limits.ts';

const HOUR = 3_600;

export const PREVIEWS: RateLimit = { name: 'deletion-preview', points: 60, perSec: HOUR };
/** Each accepted one ends the session; the rest are corrections of the amount. */
export const DELETIONS: RateLimit = { name: 'deletion-request', points: 10, perSec: HOUR };
