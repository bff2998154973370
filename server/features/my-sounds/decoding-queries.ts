import type { ExpressionBuilder, Selectable, Updateable } from 'kysely';
import type { DecodedSound } from '../../media/audio/decoder.ts';
import { changesRows, countChanged } from '../../platform/database/statements/outcomes.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { indexSound } from '../catalogue/service.ts';
import { putFeatures } from '../catalogue/features-queries.ts';
import { putFindings } from '../catalogue/findings-queries.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';
import { own } from './tables.ts';

/** A process's lease on the decoding of a sound. */
export interface Lease {
  readonly seq: number;
  readonly leaseId: string;
}

/** What a process needs to decode a sound. */
export interface LeasedSound {
  readonly isFresh: boolean;
  readonly attempts: number;
  readonly audioKey: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
}

/** Neither leased, nor too soon after a failure, nor given up by this version of the decoder. */
function isDue(version: number, nowMs: number) {
  return (eb: ExpressionBuilder<Schema, 'undecoded_sounds'>) =>
    eb.and([
      eb.or([eb('not_before', 'is', null), eb('not_before', '<=', nowMs)]),
      eb.or([eb('state', '=', 'waiting'), eb('failed_version', '<', version)]),
    ]);
}

/** The next sound to decode: uploads first, then the newest, which are listened to most. */
export function selectUndecoded(db: Db, version: number, nowMs: number) {
  return db
    .selectFrom('undecoded_sounds')
    .select(['sound_seq', 'is_fresh'])
    .where(isDue(version, nowMs))
    .orderBy('is_fresh', 'desc')
    .orderBy('sound_seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Takes the lease on a sound; undefined when it is not due, decoded or deleted. */
export async function leaseUndecoded(
  db: Db,
  { seq, leaseId }: Lease,
  version: number,
  times: { readonly nowMs: number; readonly untilMs: number },
): Promise<LeasedSound | undefined> {
  const row = await db
    .updateTable('undecoded_sounds')
    .set((eb) => ({
      lease_id: leaseId,
      not_before: times.untilMs,
      // A later version starts with no attempts.
      attempts: eb.case().when('state', '=', 'failed').then(0).else(eb.ref('attempts')).end(),
      state: 'waiting',
      failed_version: null,
    }))
    .where('sound_seq', '=', seq)
    .where(isDue(version, times.nowMs))
    .returning(['attempts', 'is_fresh'])
    .executeTakeFirst();
  const sound = await db
    .selectFrom('sounds')
    .select(['audio_key as audioKey', 'audio_size as sizeBytes', 'duration_ms as durationMs'])
    .where('seq', '=', seq)
    .executeTakeFirst();
  return row && sound && { ...sound, attempts: row.attempts, isFresh: row.is_fresh === 1 };
}

/** Changes the row of a leased sound. Returns whether the lease was still held. */
function changeLeased(
  db: Db,
  { seq, leaseId }: Lease,
  change: Updateable<Schema['undecoded_sounds']>,
): Promise<boolean> {
  return changesRows(
    db
      .updateTable('undecoded_sounds')
      .set(change)
      .where('sound_seq', '=', seq)
      .where('lease_id', '=', leaseId),
  );
}

export async function renewLease(db: Db, lease: Lease, untilMs: number): Promise<void> {
  await changeLeased(db, lease, { not_before: untilMs });
}

/** Releases the lease. `attempts` is the new number of failed attempts; the next one starts at `notBefore` at the earliest. */
export async function releaseLease(
  db: Db,
  lease: Lease,
  attempts: number,
  notBefore: number | null,
): Promise<void> {
  await changeLeased(db, lease, { lease_id: null, not_before: notBefore, attempts });
}

/** Records that this version of the decoder gave up. Returns whether the lease was still held. */
export function giveUp(db: Db, lease: Lease, attempts: number, version: number): Promise<boolean> {
  const failed = { state: 'failed', failed_version: version, attempts } as const;
  return changeLeased(db, lease, { ...failed, lease_id: null, not_before: null });
}

/** Releases every lease that ended before a time. Returns their number. */
export async function releaseExpiredLeases(db: Db, beforeMs: number): Promise<number> {
  return countChanged(
    db
      .updateTable('undecoded_sounds')
      .set({ lease_id: null, not_before: null })
      .where('lease_id', 'is not', null)
      .where('not_before', '<', beforeMs),
  );
}

/** How many sounds wait to be decoded, and how many cannot be decoded. */
export async function countUndecoded(db: Db): Promise<{ readonly waiting: number; readonly failed: number }> {
  const rows = await db
    .selectFrom('undecoded_sounds')
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('sounds')])
    .groupBy('state')
    .execute();
  const count = (state: string) => Number(rows.find((row) => row.state === state)?.sounds ?? 0);
  return { waiting: count('waiting'), failed: count('failed') };
}

/** Stores what was decoded of a sound, indexes it, and returns the sound; undefined when it is deleted. */
export async function saveDecoded(
  database: Database,
  seq: number,
  { peaks, findings, features }: Extract<DecodedSound, { state: 'decoded' }>,
): Promise<Pick<Selectable<Schema['sounds']>, 'id' | 'artist_id' | 'is_published'> | undefined> {
  return database.db.transaction().execute(async (transaction: Handle) => {
    const row = await own(transaction)
      .updateTable('sounds')
      // Those of an MP3 are already stored since its upload.
      .set({ peaks, ...(findings.gaps_ms && { gaps_ms: JSON.stringify(findings.gaps_ms) }) })
      .where('seq', '=', seq)
      .returning(['id', 'artist_id', 'is_published'])
      .executeTakeFirst();
    if (row === undefined) return undefined;
    await putFindings(transaction, seq, findings);
    await putFeatures(transaction, seq, features);
    await indexSound(database, transaction, seq);
    await own(transaction).deleteFrom('undecoded_sounds').where('sound_seq', '=', seq).execute();
    return row;
  });
}
