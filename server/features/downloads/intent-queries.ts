import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import { GRANT_MS_MAX, INTENT_MS_MAX } from '../../../contract/downloads/downloads.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import type { Database } from '../../platform/database/open.ts';
import type { DownloadIntentsTable, Db } from './tables.ts';
import type { Handle } from '../../platform/database/handle.ts';

/**
 * Longest gap between progress reports before viewing time stops counting. The longest notice lasts 30 s and may be
 * reported only at its begin and end, over a slow line. A machine that went to sleep is silent for longer; how much of
 * that was watched is unknown, so none of it counts.
 */
export const REPORT_GAP_MS_MAX = 45_000;

export async function insertIntent(db: Db, intent: Insertable<DownloadIntentsTable>): Promise<void> {
  await db.insertInto('download_intents').values(intent).execute();
}

/** Whether a visitor, or the member they are logged in as, was granted a sound within 24 hours. */
export async function wasGranted(
  db: Db,
  soundId: string,
  { visitor, memberId }: { readonly visitor: string; readonly memberId: string | null },
  nowMs: number,
): Promise<boolean> {
  return exists(
    db
      .selectFrom('download_intents')
      .select('id')
      .where('sound_id', '=', soundId)
      .where((where) =>
        where.or([
          where('visitor', '=', visitor),
          ...(memberId === null ? [] : [where('user_id', '=', memberId)]),
        ]),
      )
      .where('is_granted', '=', 1)
      .where('completed_at', '>', nowMs - GRANT_MS_MAX)
      .limit(1),
  );
}

/** A visitor's open intent, locked until the transaction ends. */
export function lockOpenIntent(db: Db, intentId: string, visitor: string, nowMs: number) {
  return db
    .selectFrom('download_intents')
    .select(['notice', 'needed_ms', 'watched_ms', 'watching_since'])
    .where('id', '=', intentId)
    .where('visitor', '=', visitor)
    .where('completed_at', 'is', null)
    .where('created_at', '>', nowMs - INTENT_MS_MAX)
    .forUpdate()
    .executeTakeFirst();
}

/** Serialises the transactions that update what a visitor watches. SQLite has a single writer. */
export function lockVisitor(transaction: Handle, database: Database, visitor: string): Promise<void> {
  return database.takeLock(transaction, 'watching', visitor);
}

/** Pauses a visitor's other intents: only one notice can be watched at a time. */
export async function pauseOtherIntents(
  db: Db,
  intentId: string,
  visitor: string,
  nowMs: number,
): Promise<void> {
  const since = sql`(${nowMs} - watching_since)`;
  await db
    .updateTable('download_intents')
    .set({
      watched_ms: sql<number>`watched_ms
        + case when ${since} between 0 and ${REPORT_GAP_MS_MAX} then ${since} else 0 end`,
      watching_since: null,
    })
    .where('visitor', '=', visitor)
    .where('id', '!=', intentId)
    .where('watching_since', 'is not', null)
    .where('created_at', '>', nowMs - INTENT_MS_MAX)
    .execute();
}

export async function updateWatching(
  db: Db,
  intentId: string,
  watching: Pick<DownloadIntentsTable, 'needed_ms' | 'watching_since'> & {
    readonly notice: string;
    readonly watched_ms: number;
  },
): Promise<void> {
  await db.updateTable('download_intents').set(watching).where('id', '=', intentId).execute();
}

/**
 * The precondition for completing an intent. A notice unknown to this host (`needed_ms` null) takes no time and grants
 * nothing. Neither does another provider's advertisement (`time`) once one of our own notices was started.
 */
export type Wait =
  | { readonly for: 'nothing' }
  | { readonly for: 'notice'; readonly slackMs: number }
  | { readonly for: 'time'; readonly ms: number };

export interface Completion {
  readonly intentId: string;
  readonly visitor: string;
  readonly soundId: string;
  readonly wait: Wait;
}

/**
 * Completes an open intent that has waited long enough. Of concurrent calls, one gets it and the others undefined. A
 * repeat waits for nothing and grants nothing: otherwise a grant would never expire.
 */
export function completeIntent(db: Db, completion: Completion, nowMs: number) {
  const { intentId, visitor, soundId, wait } = completion;
  return db
    .updateTable('download_intents')
    .set({
      completed_at: nowMs,
      watching_since: null,
      is_granted: sql<0 | 1>`case when is_repeat = 0 and ${toGrant(wait)} then 1 else 0 end`,
    })
    .where('id', '=', intentId)
    .where('visitor', '=', visitor)
    .where('sound_id', '=', soundId)
    .where('completed_at', 'is', null)
    .where('created_at', '>', nowMs - INTENT_MS_MAX)
    .where((where) => where.or([where('is_repeat', '=', 1), toCondition(wait, nowMs)]))
    .returning(['id', 'user_id', 'is_granted', 'is_repeat'])
    .executeTakeFirst();
}

/** The state of a visitor's intent that could not be completed; of a completed one, with its certificate. */
export async function findIntentState(
  db: Db,
  { intentId, visitor, soundId }: Completion,
  nowMs: number,
): Promise<{ state: 'open' | 'expired' | 'unknown' } | { state: 'completed'; certificateId: string | null }> {
  const row = await db
    .selectFrom('download_intents')
    .select(['created_at', 'completed_at', 'certificate_id'])
    .where('id', '=', intentId)
    .where('visitor', '=', visitor)
    .where('sound_id', '=', soundId)
    .executeTakeFirst();
  if (row === undefined) return { state: 'unknown' };
  if (row.completed_at !== null) {
    const isCurrent = row.completed_at > nowMs - GRANT_MS_MAX;
    return isCurrent ? { state: 'completed', certificateId: row.certificate_id } : { state: 'expired' };
  }
  return { state: row.created_at > nowMs - INTENT_MS_MAX ? 'open' : 'expired' };
}

/** The newest certificate that a visitor got for a sound within a day. */
export async function findEarlierCertificate(
  db: Db,
  { visitor, soundId }: { readonly visitor: string; readonly soundId: string },
  nowMs: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('download_intents')
    .select('certificate_id')
    .where('visitor', '=', visitor)
    .where('sound_id', '=', soundId)
    .where('certificate_id', 'is not', null)
    .where('completed_at', '>', nowMs - GRANT_MS_MAX)
    .orderBy('completed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.certificate_id ?? null;
}

export async function setCertificate(db: Db, intentId: string, certificateId: string | null): Promise<void> {
  await db
    .updateTable('download_intents')
    .set({ certificate_id: certificateId })
    .where('id', '=', intentId)
    .execute();
}

/** Deletes intents that were not finished within a day, and completed ones whose grant has expired. */
export async function deleteOldIntents(db: Db, nowMs: number): Promise<void> {
  const old = nowMs - GRANT_MS_MAX;
  await deleteOlder(db, {
    table: 'download_intents',
    when: ['created_at', '<=', old],
    also: (where) => where.or([where('completed_at', 'is', null), where('completed_at', '<=', old)]),
  });
}

function toGrant(wait: Wait) {
  if (wait.for === 'nothing') return sql<boolean>`1 = 0`;
  return wait.for === 'time' ? sql<boolean>`notice = ''` : sql<boolean>`needed_ms is not null`;
}

function toCondition(wait: Wait, nowMs: number) {
  if (wait.for === 'nothing') return sql<boolean>`1 = 1`;
  if (wait.for === 'time') return sql<boolean>`created_at <= ${nowMs - wait.ms}`;
  const since = sql`(${nowMs} - coalesce(watching_since, ${nowMs}))`;
  return sql<boolean>`notice <> '' and needed_ms is null
    or watched_ms + ${wait.slackMs} >= needed_ms
    or watched_ms + ${wait.slackMs} + ${since} >= needed_ms and ${since} between 0 and ${REPORT_GAP_MS_MAX}`;
}
