import { AUDIO_BYTES_MAX } from './audio-files.ts';

/**
 * Files that are sent in parts and can be resumed, by the tus protocol 1.0 with its extensions creation, termination
 * and expiration. Hosts that are not extended receive the file itself by `uploadSound`. An upload is only accessible to
 * its creator and creates no sound. `uploadSound` with its id as `upload`, instead of `file`, creates the sound;
 * repeated calls return the same sound. If it rejects the file (400 naming `file`), the upload ends.
 */
export const RESUMABLE_UPLOADS_PATH = '/api/uploads/';
export const RESUMABLE_BYTES_MAX = AUDIO_BYTES_MAX;
/** Bytes per request, and the most that a lost connection costs. */
export const RESUMABLE_PIECE_BYTES = 4 * 1024 * 1024;
/** Counted from the creation. The upload is then deleted and the file has to be sent from its beginning. */
export const RESUMABLE_AGE_MS_MAX = 24 * 60 * 60 * 1000;
/**
 * Maximum number of unfinished uploads per member. One more ends those that have not grown for an hour; if there are
 * none, it is rejected with 409. When the disk has too little room, the reply is 507.
 */
export const RESUMABLE_AT_ONCE_MAX = 10;

/** The id of an upload from the address that its creation returned; '' for other addresses. */
export function toUploadId(address: string): string {
  return /\/api\/uploads\/([\w-]{1,64})$/.exec(address)?.[1] ?? '';
}
