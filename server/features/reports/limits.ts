import type { RateLimit } from '../../platform/limits/limits.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Calls per address, including rejected ones. */
export const REPORT_CALLS: RateLimit = { name: 'report-call', points: 60, perSec: HOUR };
/** Reports from one address. */
export const REPORTS: RateLimit = { name: 'report', points: 10, perSec: HOUR };
/** Reports with one e-mail address, each of which mails it, whoever enters it. */
export const REPORTS_OF_EMAIL: RateLimit = { name: 'report-email', points: 10, perSec: DAY };
/** Openings of mailed links per address. */
export const REPORT_LINKS: RateLimit = { name: 'report-link', points: 120, perSec: HOUR };
/** Answers of one artist; each report takes one. */
export const REPORT_ANSWERS: RateLimit = { name: 'report-answer', points: 60, perSec: HOUR };

/** Open reports of one sound. More of them would tell the staff nothing new. */
export const OPEN_PER_SOUND_MAX = 50;
/** Open reports from one network (`toNetworkGroup`), so that one attacker cannot fill the staff's list. */
export const OPEN_PER_NETWORK_MAX = 20;
