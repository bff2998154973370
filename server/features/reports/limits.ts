import { DAY_MS, DAY_SEC, HOUR_SEC } from '../../../contract/values/time-units.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

/** Calls per address, including rejected ones. */
export const REPORT_CALLS: RateLimit = { name: 'report-call', points: 60, perSec: HOUR_SEC };
/** Reports from one address. */
export const REPORTS: RateLimit = { name: 'report', points: 10, perSec: HOUR_SEC };
/** Reports with one e-mail address. Each mails that address, which anyone can enter. */
export const REPORTS_OF_EMAIL: RateLimit = { name: 'report-email', points: 20, perSec: DAY_SEC };
/** Reports with one e-mail address from one network, so that others cannot use up the daily limit of the address. */
export const REPORTS_OF_EMAIL_AND_NETWORK: RateLimit = {
  name: 'report-email-network',
  points: 5,
  perSec: DAY_SEC,
};
/** Openings of mailed links per address. */
export const REPORT_LINKS: RateLimit = { name: 'report-link', points: 120, perSec: HOUR_SEC };
/** Answers of one artist; each report takes one. */
export const REPORT_ANSWERS: RateLimit = { name: 'report-answer', points: 60, perSec: HOUR_SEC };

/**
 * Stored reports that nobody has confirmed, of one network (`toNetworkGroup`) and of all. One more replaces the oldest
 * of the address, or the network, that has most of them: it never refuses a report.
 */
export const UNCONFIRMED_PER_NETWORK_MAX = 20;
export const UNCONFIRMED_MAX = 5_000;

/**
 * Open reports of which an artist is notified: of all, and of reporters with one mail domain. Further ones are held for
 * the staff, as are those of a network whose reports concern many artists.
 */
export const NOTIFIED_PER_ARTIST_MAX = 20;
export const NOTIFIED_PER_DOMAIN_MAX = 5;
export const NOTIFIED_PER_NETWORK_MAX = 20;
/** An artist gets one mail in this time about all new reports. */
export const NOTIFICATION_PAUSE_MS = DAY_MS;
