import type { Insertable } from 'kysely';
import type { UseState } from '../../../contract/artists/uses.ts';
import { OWN_USES_PAGE_SIZE, USES_SHOWN_MAX } from '../../../contract/artists/uses.ts';
import { changesRows } from '../../platform/database/statements/outcomes.ts';
import type { RowKey } from '../../platform/http/cursors.ts';
import type { UsesTable, Db } from './tables.ts';

export type UseRow = Awaited<ReturnType<typeof selectOwnUses>>[number];

export async function insertUse(db: Db, use: Insertable<UsesTable>): Promise<void> {
  await db.insertInto('uses').values(use).execute();
}

/** The artist of a public sound. */
export function findPublicArtist(db: Db, soundId: string) {
  return db
    .selectFrom('sounds')
    .select('artist_id')
    .where('id', '=', soundId)
    .where('is_published', '=', 1)
    .executeTakeFirst();
}

/** The addresses that were reported with a certificate. */
export async function selectReportedAddresses(db: Db, certificateId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('uses')
    .select('address')
    .where('certificate_id', '=', certificateId)
    .execute();
  return rows.map(({ address }) => address);
}

/** How many uses wait for an artist: all, or those reported after a time. */
export async function countWaiting(db: Db, artistId: string, afterMs = -1): Promise<number> {
  const { count } = await db
    .selectFrom('uses')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('artist_id', '=', artistId)
    .where('state', '=', 'waiting')
    .where('created_at', '>', afterMs)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What pages show: the newest confirmed uses of public sounds, of one sound or of an artist. */
export function selectConfirmedUses(db: Db, [column, id]: readonly ['sound_id' | 'artist_id', string]) {
  return selectUses(db)
    .where(`uses.${column}`, '=', id)
    .where('uses.state', '=', 'confirmed')
    .where('sounds.is_published', '=', 1)
    .orderBy('uses.created_at', 'desc')
    .orderBy('uses.id', 'desc')
    .limit(USES_SHOWN_MAX)
    .execute();
}

export interface OwnUsesFilter {
  readonly state: UseState;
  /** The last use of the page before; null for the first page. */
  readonly after: RowKey | null;
}

/** A page of an artist's uses and one more, newest first; not those of sounds that the artist deleted. */
export function selectOwnUses(db: Db, artistId: string, { state, after }: OwnUsesFilter) {
  return selectUses(db)
    .where('uses.artist_id', '=', artistId)
    .where('uses.state', '=', state)
    .where('sounds.deleted_at', 'is', null)
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('uses.created_at', 'uses.id'), '<', tuple(after?.time ?? 0, after?.id ?? '')),
      ),
    )
    .orderBy('uses.created_at', 'desc')
    .orderBy('uses.id', 'desc')
    .limit(OWN_USES_PAGE_SIZE + 1)
    .execute();
}

/** For the staff: the reported uses, oldest first, or the newest ones of a sound. */
export function selectStaffUses(db: Db, soundId: string | undefined, limit: number) {
  return selectUses(db)
    .innerJoin('users', 'users.id', 'uses.artist_id')
    .select('users.username as artist')
    .$if(soundId === undefined, (query) => query.where('uses.state', '=', 'reported'))
    .$if(soundId !== undefined, (query) => query.where('uses.sound_id', '=', soundId ?? ''))
    .orderBy('uses.created_at', soundId === undefined ? 'asc' : 'desc')
    .orderBy('uses.id')
    .limit(limit)
    .execute();
}

/** Locks uses until the transaction ends, in the order of ids. */
export function lockUses(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('uses')
    .select(['id', 'artist_id', 'sound_id', 'state'])
    .where('id', 'in', ids)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export async function setUseState(
  db: Db,
  ids: readonly string[],
  state: UseState,
  nowMs: number,
): Promise<void> {
  await db.updateTable('uses').set({ state, changed_at: nowMs }).where('id', 'in', ids).execute();
}

export async function deleteUse(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uses').where('id', '=', id).execute();
}

export async function isMailWanted(db: Db, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('use_mails')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function setMailWanted(db: Db, userId: string, isWanted: boolean, nowMs: number): Promise<void> {
  if (!isWanted) {
    await db.deleteFrom('use_mails').where('user_id', '=', userId).execute();
    return;
  }
  await db
    .insertInto('use_mails')
    .values({ user_id: userId, checked_at: nowMs })
    .onConflict((on) => on.column('user_id').doNothing())
    .execute();
}

/** Artists whose uses were last checked before a time. */
export function selectUnchecked(db: Db, untilMs: number, limit: number) {
  return db
    .selectFrom('use_mails')
    .innerJoin('users', 'users.id', 'use_mails.user_id')
    .select(['user_id', 'checked_at', 'username', 'email'])
    .where('checked_at', '<=', untilMs)
    .where('users.deletion_requested_at', 'is', null)
    .orderBy('checked_at')
    .limit(limit)
    .execute();
}

/** Records that an artist's uses are checked; false if another process was first. */
export async function recordCheck(
  db: Db,
  { user_id, checked_at }: { readonly user_id: string; readonly checked_at: number },
  nowMs: number,
): Promise<boolean> {
  return changesRows(
    db
      .updateTable('use_mails')
      .set({ checked_at: nowMs })
      .where('user_id', '=', user_id)
      .where('checked_at', '=', checked_at),
  );
}

function selectUses(db: Db) {
  return db
    .selectFrom('uses')
    .innerJoin('sounds', 'sounds.id', 'uses.sound_id')
    .select(['uses.id', 'uses.state', 'uses.address', 'uses.title', 'uses.message', 'uses.created_at'])
    .select(['uses.sound_id', 'uses.artist_id', 'sounds.title as sound_title']);
}
