import { HOUR_SEC } from '../../../../contract/values/time-units.ts';
import type { RateLimit } from '../../../platform/limits/rate-limits.ts';

/** By member; the same as for uploads by form. */
export const UPLOAD_CREATIONS: RateLimit = { name: 'upload-creation', points: 200, perSec: HOUR_SEC };
/** Parts and requests for the current offset. A file of the maximum size takes 25; a bad connection needs many more. */
export const UPLOAD_PIECES: RateLimit = { name: 'upload-piece', points: 20_000, perSec: HOUR_SEC };

/** Requests for the supported protocol features, by address; the reply reads nothing. */
export const UPLOAD_OPTIONS: RateLimit = { name: 'upload-options', points: 600, perSec: 60 };

/** The names and types that clients send are far shorter. */
export const METADATA_LENGTH_MAX = 4_096;
