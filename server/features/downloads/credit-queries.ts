import type { Insertable } from 'kysely';
import { changeInBatches } from '../../platform/database/statements/batches.ts';
import { countChanged, exists } from '../../platform/database/statements/outcomes.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { Database } from '../../platform/database/open.ts';
import type { DownloadCreditsTable, Db } from './tables.ts';
import type { Handle } from '../../platform/database/handle.ts';

/**
 * Serialises the transactions that judge downloads. The rules read what visitors, networks and artists have done, which
 * others would change concurrently; and each credit moves the site's own ledger account, which admits only one at a
 * time anyway. SQLite has a single writer.
 */
export function lockCredits(transaction: Handle, database: Database): Promise<void> {
  return database.takeLock(transaction, 'credits');
}

export async function insertCredit(db: Db, credit: Insertable<DownloadCreditsTable>): Promise<void> {
  await db.insertInto('download_credits').values(credit).execute();
}

/** The results of a sound's downloads since a moment, by a visitor or by the member they are logged in as. */
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
    // A credit that the staff rejected also stays used up.
    wasCredited: rows.some(({ state }) => state !== 'refused'),
  };
}

/** Whether a visitor has had a credited or held download of any sound since a moment. */
export async function hasCreditSince(db: Db, visitor: string, sinceMs: number): Promise<boolean> {
  return exists(
    db
      .selectFrom('download_credits')
      .select('id')
      .where('visitor', '=', visitor)
      .where('state', '!=', 'refused')
      .where('created_at', '>', sinceMs)
      .limit(1),
  );
}

export async function isBlocked(db: Db, userId: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('is_blocked').where('id', '=', userId).executeTakeFirst();
  return row?.is_blocked === 1;
}

export interface CreditDecision {
  readonly state: 'credited' | 'rejected';
  readonly reason: string;
  readonly decided_at: number;
  readonly decided_by: string;
}

/** Decides a held credit. Of concurrent calls, one gets the credit and the others undefined. */
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
  return exists(db.selectFrom('download_credits').select('id').where('id', '=', creditId));
}

/** Deletes refused credits, and the downloaders of all others. No rule reads data from before `sinceMs`. */
export async function anonymizeOldCredits(db: Db, sinceMs: number): Promise<void> {
  await deleteOlder(db, {
    table: 'download_credits',
    when: ['created_at', '<', sinceMs],
    also: (where) => where('state', '=', 'refused'),
  });
  await changeInBatches((limit) =>
    countChanged(
      db
        .updateTable('download_credits')
        .set({ visitor: null, user_id: null, network: null })
        .where('id', 'in', (query) =>
          query
            .selectFrom('download_credits')
            .select('id')
            .where('visitor', 'is not', null)
            .where('created_at', '<', sinceMs)
            .orderBy('created_at')
            .limit(limit),
        ),
    ),
  );
}
