import { byMember } from '../../platform/http/access.ts';
import type { Rule } from '../../platform/http/access.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

/** Per staff account: one decision a second, and several calls for each. */
const READS: RateLimit = { name: 'console-read', points: 1_200, perSec: 600 };
const DECISIONS: RateLimit = { name: 'console-decision', points: 600, perSec: 600 };
/** Of a page that is being typed: one a second. */
const PREVIEWS: RateLimit = { name: 'console-preview', points: 600, perSec: 600 };
/** Codes of the second factor, by network address. */
export const CODES: RateLimit = { name: 'console-code', points: 60, perSec: 900 };

/** Things in one list: a number that one person can decide about or look through in one session. */
export const LISTED_MAX = 500;

const recently = 'staff with recent log-in';

/** Reads what the staff decides about. */
export const READING: Rule<'staff'> = { caller: 'staff', owner: 'staff', limits: [byMember(READS)] };
/** Reads who a member is, or what is paid. */
export const READING_RECENTLY: Rule<typeof recently> = { ...READING, caller: recently };
export const PREVIEWING: Rule<'staff'> = { ...READING, limits: [byMember(PREVIEWS)] };
/** A decision about people or money. */
export const DECIDING_RECENTLY: Rule<typeof recently> = {
  ...READING_RECENTLY,
  limits: [byMember(DECISIONS)],
};
/** Changes what every visitor sees. */
export const CHANGING_SITE: Rule<typeof recently> = { ...DECIDING_RECENTLY, owner: 'site' };
/** Reads or changes the caller's own account. */
export const READING_OWN: Rule<'staff'> = { ...READING, owner: 'own' };
export const CHANGING_OWN: Rule<typeof recently> = { ...DECIDING_RECENTLY, owner: 'own' };
