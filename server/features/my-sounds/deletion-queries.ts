import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { countChanged } from '../../platform/database/statements/outcomes.ts';
import type { Db } from './tables.ts';
import { recordErasure } from '../backups/erasure-queries.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { own } from './tables.ts';

/** What is needed to erase a sound. */
export function lockSoundToErase(db: Db, id: string) {
  return db
    .selectFrom('sounds')
    .select(['seq', 'artist_id', 'audio_key', 'thumbnail_key', 'is_published', 'deleted_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Ids of some of an artist's sounds, deleted ones included. */
export async function selectSoundIds(db: Db, artistId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sounds')
    .select('id')
    .where('artist_id', '=', artistId)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ids of some of the sounds that were deleted until a time, the longest ago first. */
export async function selectSoundsToErase(db: Db, untilMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sounds')
    .select('id')
    .where('deleted_at', '<=', untilMs)
    .orderBy('deleted_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Erases a row with everything that refers to it. The id is stored for the list of erasures beside the backups. */
export async function eraseSoundRow(db: Handle, id: string, erasedAtMs: number): Promise<void> {
  await own(db).deleteFrom('sounds').where('id', '=', id).execute();
  await recordErasure(db, { id, kind: 'sound' }, erasedAtMs);
}

/** From `sinceMs`, before `untilMs`. */
export interface Period {
  readonly sinceMs: number;
  readonly untilMs?: number;
}

function deletedSounds(db: Db, artistId: string, { sinceMs, untilMs = Number.MAX_SAFE_INTEGER }: Period) {
  return db
    .selectFrom('sounds')
    .where('artist_id', '=', artistId)
    .where('deleted_at', '>=', sinceMs)
    .where('deleted_at', '<', untilMs);
}

export async function countDeleted(db: Db, artistId: string, period: Period): Promise<number> {
  const { sounds } = await deletedSounds(db, artistId, period)
    .select(({ fn }) => fn.countAll<number>().as('sounds'))
    .executeTakeFirstOrThrow();
  return Number(sounds);
}

/** What people call the sounds that an artist deleted, in the order of the deletions. */
export async function selectDeletedNames(db: Db, artistId: string, period: Period): Promise<string[]> {
  const rows = await deletedSounds(db, artistId, period)
    .select(['title', 'filename'])
    .orderBy('deleted_at')
    .orderBy('seq')
    .execute();
  return rows.map(({ title, filename }) => title || filename || UNTITLED);
}

/**
 * Brings an artist's deleted sounds back, as private ones; those to be public are withheld until `releaseSounds`.
 * Returns their number.
 */
export async function restoreDeleted(db: Db, artistId: string, period: Period): Promise<number> {
  return countChanged(
    db
      .updateTable('sounds')
      .set({ deleted_at: null })
      .where('seq', 'in', deletedSounds(db, artistId, period).select('seq')),
  );
}
