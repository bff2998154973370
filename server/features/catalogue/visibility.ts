import type { Flag } from '../../platform/database/database.ts';

const SOUND_ID = /^[0-9A-Za-z]{1,40}$/;

/** Whether a text can be a sound's id at all; what cannot never reaches a database. */
export function isSoundId(id: string): boolean {
  return SOUND_ID.test(id);
}

/** Whether `callerId` (null: a visitor) may know of a sound: a private one is its owner's alone. */
export function isVisible(
  sound: { readonly is_published: Flag; readonly artist_id: string },
  callerId: string | null,
): boolean {
  return sound.is_published === 1 || (callerId !== null && sound.artist_id === callerId);
}
