import type { Insertable } from 'kysely';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Db } from './tables.ts';

type Place = Insertable<Schema['backup_places']>;

/** Adds a place, or changes the given columns of it. */
export async function putPlace(
  db: Db,
  key: Pick<Place, 'host' | 'folder'>,
  values: Omit<Place, 'host' | 'folder'>,
): Promise<void> {
  await db
    .insertInto('backup_places')
    .values({ ...key, ...values })
    .onConflict((on) => on.columns(['host', 'folder']).doUpdateSet(values))
    .execute();
}

/** Those that reported after a time, the latest first. */
export function selectPlaces(db: Db, sinceMs: number, limit: number) {
  return db
    .selectFrom('backup_places')
    .selectAll()
    .where('seen_at', '>', sinceMs)
    .orderBy('seen_at', 'desc')
    .limit(limit)
    .execute();
}

/** Those that reported before a time, and all but the latest `keep`. */
export async function deleteOldPlaces(db: Db, beforeMs: number, keep: number): Promise<number> {
  const first = await db
    .selectFrom('backup_places')
    .select('seen_at')
    .orderBy('seen_at', 'desc')
    .offset(keep)
    .limit(1)
    .executeTakeFirst();
  return deleteOlder(db, {
    table: 'backup_places',
    key: ['host', 'folder'],
    when: ['seen_at', '<=', Math.max(beforeMs, first?.seen_at ?? 0)],
  });
}

/** What a restored database says of machines is from before: they report again. Changes no number of rows. */
export async function forgetReports(db: Db): Promise<void> {
  await db.updateTable('backup_places').set({ seen_at: 0 }).execute();
}
