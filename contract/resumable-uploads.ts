import { AUDIO_BYTES_MAX } from './audio-files.ts';

/**
 * Files that are sent in pieces and go on where they stopped, by the tus protocol 1.0 with its
 * extensions creation, termination and expiration. A host announces it with the capability
 * `resumable-uploads`; any other takes the file itself by `uploadSound`.
 * An upload is its creator's alone and makes nothing yet: `uploadSound` with its id as `upload`, in
 * place of `file`, makes a sound of it, and asked again answers with that same sound. A file that it refuses
 * (400 naming `file`) ends the upload.
 */
export const RESUMABLE_UPLOADS_PATH = '/api/uploads/';
export const RESUMABLE_BYTES_MAX = AUDIO_BYTES_MAX;
/** What goes out in one request; a lost connection costs at most this much. */
export const RESUMABLE_PIECE_BYTES = 4 * 1024 * 1024;
/** Counted from the creation. Afterwards the upload is gone, and the file is sent from its beginning. */
export const RESUMABLE_AGE_MS_MAX = 24 * 60 * 60 * 1000;
/**
 * Unfinished ones of one member. One more ends those that have not grown for an hour; where there is none, it is refused
 * with 409. A disk without room for all is answered 507.
 */
export const RESUMABLE_AT_ONCE_MAX = 10;

/** The id of an upload, from the address that its creation gave; '' where it is none of ours. */
export function toUploadId(address: string): string {
  return /\/api\/uploads\/([\w-]{1,64})$/.exec(address)?.[1] ?? '';
}
