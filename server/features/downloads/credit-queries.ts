import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Database, DownloadCreditsTable, Schema } from '../../platform/database/database.ts';

type Db = Kysely<Schema>;

/** Any number; it names our lock among all advisory locks of a PostgreSQL database. */
const CREDIT_LOCK = 5_601_731;

/**
 * Lets one transaction at a time judge a download. The rules ask what visitors, networks and artists have
 * done, which others would change meanwhile; and the site's own account in the ledger, which each credit
 * moves, lets only one pass anyway. SQLite has one writer as it is.
 */
export function takeCreditTurn(transaction: Transaction<Schema>, database: Database): Promise<void> {
  return database.takeTurn(transaction, CREDIT_LOCK);
}

export async function insertCredit(db: Db, credit: Insertable<DownloadCreditsTable>): Promise<void> {
  await db.insertInto('download_credits').values(credit).execute();
}

/** What became of a sound's downloads by a visitor, or by the member they are logged in as, since a moment. */
export async function findEarlier(
  db: Db,
  soundId: string,
  { visitor, memberId }: { readonly visitor: string; readonly memberId: string | null },
  sinceMs: number,
): Promise<{ wasCounted: boolean; wasCredited: boolean }> {
  const rows = await db
    .selectFrom('download_credits')
    .select(['state', 'is_counted'])
    .distinct()
    .where('sound_id', '=', soundId)
    .where((where) =>
      where.or([
        where('visitor', '=', visitor),
        ...(memberId === null ? [] : [where('user_id', '=', memberId)]),
      ]),
    )
    .where('created_at', '>', sinceMs)
    .execute();
  return {
    wasCounted: rows.some(({ is_counted }) => is_counted === 1),
    // One that the staff rejected stays spent, too.
    wasCredited: rows.some(({ state }) => state !== 'refused'),
  };
}

/** Whether a visitor has had any sound credited, or held, since a moment. */
export async function hasCreditSince(db: Db, visitor: string, sinceMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('download_credits')
    .select('id')
    .where('visitor', '=', visitor)
    .where('state', '!=', 'refused')
    .where('created_at', '>', sinceMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isBlocked(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('is_blocked').where('id', '=', userId).executeTakeFirst();
  return row?.is_blocked === 1;
}

export async function updateDownloads(
  db: Db,
  seq: number,
  ranks: { readonly download_count: number; readonly popularity: number },
): Promise<void> {
  await db.updateTable('sounds').set(ranks).where('seq', '=', seq).execute();
}

export interface CreditDecision {
  readonly state: 'credited' | 'rejected';
  readonly reason: string;
  readonly decided_at: number;
  readonly decided_by: string;
}

/** Decides a credit that is held; of several who try at once one gets it, the others undefined. */
export function decideCredit(db: Db, creditId: string, decision: CreditDecision) {
  return db
    .updateTable('download_credits')
    .set(decision)
    .where('id', '=', creditId)
    .where('state', '=', 'held')
    .returning(['intent_id', 'artist_id', 'sound_id', 'yen', 'created_at'])
    .executeTakeFirst();
}

export async function hasCredit(db: Db, creditId: string): Promise<boolean> {
  const row = await db
    .selectFrom('download_credits')
    .select('id')
    .where('id', '=', creditId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets what was refused, and of all else who downloaded: no rule asks for what was before `sinceMs`. */
export async function forgetDownloaders(db: Db, sinceMs: number): Promise<void> {
  await db
    .deleteFrom('download_credits')
    .where('state', '=', 'refused')
    .where('created_at', '<', sinceMs)
    .execute();
  await db
    .updateTable('download_credits')
    .set({ visitor: null, user_id: null, network: null })
    .where('visitor', 'is not', null)
    .where('created_at', '<', sinceMs)
    .execute();
}
