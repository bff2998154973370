export { listCopies } from './copies.ts';
export { countUndecoded, releaseExpiredLeases } from './decoding-queries.ts';
export { countDeleted, restoreDeleted, selectDeletedNames } from './deletion-queries.ts';
export { deleteSoundsOf, removeSound } from './deletion.ts';
export { DELETION_MAIL_MS, SOUND_GRACE_DAYS } from './limits.ts';
export { decodeStored } from './stored-sounds.ts';
export { EXPIRED_MS } from './uploads/leftovers.ts';
