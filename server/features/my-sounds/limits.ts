import type { RateLimit } from '../../platform/limits/limits.ts';

/** By member. */
export const UPLOADS: RateLimit = { name: 'sound-upload', points: 200, perSec: 3_600 };
/** Changes and deletions together: each row of the edit dialog is saved separately. */
export const SOUND_CHANGES: RateLimit = { name: 'sound-change', points: 120, perSec: 600 };
/** Calls that change up to `CHANGED_SOUNDS_MAX` sounds: all of an artist's sounds, changed and brought back. */
export const SEVERAL_CHANGES: RateLimit = { name: 'several-sounds-change', points: 60, perSec: 600 };

/** For this long, the link in the mail about it brings a deleted sound back. */
export const SOUND_GRACE_DAYS = 7;
/** Deletions within 24 hours that need no recent log-in (decision 134). */
export const FREE_DELETIONS = 3;
/** Deletions within this time after the first are mailed together. */
export const DELETION_MAIL_MS = 10 * 60 * 1000;

/** Quotas per artist; deleted sounds may take as much again until they are erased. */
export const SOUNDS_MAX = 2_000;
export const SOUND_BYTES_TOTAL_MAX = 20 * 1024 ** 3;
