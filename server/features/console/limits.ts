import type { RateLimit } from '../../platform/limits/limits.ts';

/** Per staff account: one decision a second, and several calls for each. */
export const CONSOLE_READS: RateLimit = { name: 'console-read', points: 1_200, perSec: 600 };
export const CONSOLE_DECISIONS: RateLimit = { name: 'console-decision', points: 600, perSec: 600 };
/** Of a page that is being typed: one a second. */
export const CONSOLE_PREVIEWS: RateLimit = { name: 'console-preview', points: 600, perSec: 600 };
/** Codes of the second factor, by network address. */
export const CODES: RateLimit = { name: 'console-code', points: 60, perSec: 900 };
