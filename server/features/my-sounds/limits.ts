import type { RateLimit } from '../../platform/limits/limits.ts';

/** By member. */
export const UPLOADS: RateLimit = { name: 'sound-upload', points: 200, perSec: 3_600 };
/** Changes and deletions together: each row of the edit dialog is saved separately. */
export const SOUND_CHANGES: RateLimit = { name: 'sound-change', points: 120, perSec: 600 };

/** Quotas per artist. */
export const SOUNDS_MAX = 2_000;
export const SOUND_BYTES_TOTAL_MAX = 20 * 1024 ** 3;
