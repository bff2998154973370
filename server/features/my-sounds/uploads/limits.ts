import type { RateLimit } from '../../../platform/limits/limits.ts';

/** By member; as many as uploads that come as a form. */
export const UPLOAD_CREATIONS: RateLimit = { name: 'upload-creation', points: 200, perSec: 3_600 };
/** Pieces, and questions how far one is: a file of the largest size takes 25, a bad connection many more. */
export const UPLOAD_PIECES: RateLimit = { name: 'upload-piece', points: 20_000, perSec: 3_600 };

/** Questions what the protocol offers here, by address; nothing is read for the answer. */
export const UPLOAD_OPTIONS: RateLimit = { name: 'upload-options', points: 600, perSec: 60 };

/** The names and types that clients send along are far shorter. */
export const METADATA_LENGTH_MAX = 4_096;
