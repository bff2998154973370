import type { Flag } from '../../platform/database/database.ts';

const SOUND_ID = /^[0-9A-Za-z]{1,40}$/;

/** Whether a text has the form of a sound's id. Other texts are never sent to a database. */
export function isSoundId(id: string): boolean {
  return SOUND_ID.test(id);
}

/** Whether `callerId` (null: a visitor) may see a sound. Only the owner may see a private one. */
export function isVisible(
  sound: { readonly is_published: Flag; readonly artist_id: string },
  callerId: string | null,
): boolean {
  return sound.is_published === 1 || (callerId !== null && sound.artist_id === callerId);
}
