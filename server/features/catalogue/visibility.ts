import { sql } from 'kysely';
import type { Flag } from '../../platform/database/tables/parts.ts';

/**
 * The sounds that are there, as SQL: not those that their artist deleted, which wait for their erasure and are there for
 * nobody. A public sound is always there.
 */
export const IS_THERE = sql<boolean>`sounds.deleted_at is null`;

/** Whether `callerId` (null: a visitor) may see a sound. Only the owner may see a private one. */
export function isVisible(
  sound: { readonly is_published: Flag; readonly deleted_at: number | null; readonly artist_id: string },
  callerId: string | null,
): boolean {
  if (sound.deleted_at !== null) return false;
  return sound.is_published === 1 || (callerId !== null && sound.artist_id === callerId);
}
