import { DAY_MS, HOUR_SEC, MINUTE_MS } from '../../../contract/values/time-units.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';

/** By member. */
export const UPLOADS: RateLimit = { name: 'sound-upload', points: 200, perSec: HOUR_SEC };
/** Changes and deletions together: each row of the edit dialog is saved separately. */
export const SOUND_CHANGES: RateLimit = { name: 'sound-change', points: 120, perSec: 600 };
/** Calls that change up to `CHANGED_SOUNDS_MAX` sounds: all of an artist's sounds, changed and brought back. */
export const SEVERAL_CHANGES: RateLimit = { name: 'several-sounds-change', points: 60, perSec: 600 };

/** Reads of a sound's changes: an artist opens one sound after another. */
export const HISTORIES: RateLimit = { name: 'sound-history', points: 300, perSec: 600 };

/** Deletions within 24 hours that need no recent log-in (decision 134). */
export const FREE_DELETIONS = 3;
/** Sounds that get worse within 24 hours without a recent log-in (decision 181). */
export const FREE_WORSENINGS = 3;
/** Deletions and changes within this time after the first are mailed together. */
export const SOUNDS_MAIL_MS = 10 * MINUTE_MS;
/** As many changed sounds are named in a mail, and behind its link. */
export const NAMED_SOUNDS_MAX = 100;

/** How long former values are kept: as long as an undo link is valid. */
export const FORMER_VALUES_MS = 7 * DAY_MS;
/** Recorded changes of a sound; further ones are put together with their neighbours. */
export const CHANGES_PER_SOUND = 10;
/** From this many recorded changes of an artist, or of the site, on, each further changed sound keeps one. */
export const CHANGES_PER_ARTIST = 6_000;
export const CHANGES_PER_SITE = 500_000;

/** Quotas per artist; deleted sounds may take as much again until they are erased. */
export const SOUNDS_MAX = 2_000;
export const SOUND_BYTES_TOTAL_MAX = 20 * 1024 ** 3;
