import type { Kysely } from 'kysely';
import type { SoundFindings } from '../../../contract/sound-findings.ts';
import type { Schema } from '../../platform/database/database.ts';

type Db = Kysely<Schema>;

/** Stores the findings of a sound, replacing earlier ones. */
export async function putFindings(db: Db, seq: number, findings: SoundFindings): Promise<void> {
  const { silent_head_ms, clip_count, loudness_lufs, true_peak_dbtp = null } = findings;
  const row = {
    silent_head_ms,
    is_silent: findings.is_silent === true ? 1 : 0,
    clips_ms: JSON.stringify(findings.clips_ms),
    clip_count,
    is_tail_cut: findings.is_tail_cut ? 1 : 0,
    loudness_lufs,
    true_peak_dbtp,
  } as const;
  await db
    .insertInto('sound_findings')
    .values({ sound_seq: seq, ...row })
    .onConflict((on) => on.column('sound_seq').doUpdateSet(row))
    .execute();
}

/** The findings of those sounds that belong to this artist, by seq; those of other artists are not read. */
export async function selectOwnFindings(
  db: Db,
  artistId: string,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, SoundFindings>> {
  if (seqs.length === 0) return new Map();
  const rows = await db
    .selectFrom('sound_findings')
    .innerJoin('sounds', 'sounds.seq', 'sound_findings.sound_seq')
    .selectAll('sound_findings')
    .select('sounds.gaps_ms')
    .where('sound_findings.sound_seq', 'in', seqs)
    .where('sounds.artist_id', '=', artistId)
    .execute();
  return new Map(
    rows.map(({ sound_seq, clips_ms, gaps_ms, is_silent, is_tail_cut, true_peak_dbtp, ...rest }) => [
      sound_seq,
      {
        ...rest,
        is_silent: is_silent === 1,
        clips_ms: JSON.parse(clips_ms) as number[],
        ...(gaps_ms !== null && { gaps_ms: JSON.parse(gaps_ms) as number[] }),
        is_tail_cut: is_tail_cut === 1,
        ...(true_peak_dbtp !== null && { true_peak_dbtp }),
      },
    ]),
  );
}

/** A process's lease on the decoding of a sound. */
export interface Lease {
  readonly seq: number;
  readonly leaseId: string;
}

/** What a process needs to decode a sound. */
interface LeasedSound {
  readonly attempts: number;
  readonly audioSize: number;
  readonly durationMs: number;
}

/**
 * Takes the lease on a sound; undefined when another process holds it, the sound is decoded or deleted, or this version
 * of the decoder has given up on it.
 */
export async function leaseUnreadWaveforms(
  db: Db,
  { seq, leaseId }: Lease,
  version: number,
  times: { readonly nowMs: number; readonly untilMs: number },
): Promise<LeasedSound | undefined> {
  const note = await db
    .updateTable('unread_waveforms')
    .set((eb) => ({
      lease_id: leaseId,
      leased_until: times.untilMs,
      // A later version starts with no attempts.
      attempts: eb.case().when('state', '=', 'failed').then(0).else(eb.ref('attempts')).end(),
      state: 'unread',
      failed_version: null,
    }))
    .where('sound_seq', '=', seq)
    .where((eb) => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', times.nowMs)]))
    .where((eb) => eb.or([eb('state', '=', 'unread'), eb('failed_version', '<', version)]))
    .returning('attempts')
    .executeTakeFirst();
  const sound = await db
    .selectFrom('sounds')
    .select(['duration_ms', 'audio_size'])
    .where('seq', '=', seq)
    .executeTakeFirst();
  return (
    note && sound && { attempts: note.attempts, audioSize: sound.audio_size, durationMs: sound.duration_ms }
  );
}

export async function renewLease(db: Db, { seq, leaseId }: Lease, untilMs: number): Promise<void> {
  await db
    .updateTable('unread_waveforms')
    .set({ leased_until: untilMs })
    .where('sound_seq', '=', seq)
    .where('lease_id', '=', leaseId)
    .execute();
}

/** Releases every lease that ended before a time. Returns their number. */
export async function releaseExpiredLeases(db: Db, beforeMs: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('unread_waveforms')
    .set({ lease_id: null, leased_until: null })
    .where('leased_until', '<', beforeMs)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Releases the lease; `attempts` is the new number of failed attempts. */
export async function releaseLease(db: Db, { seq, leaseId }: Lease, attempts: number): Promise<void> {
  await db
    .updateTable('unread_waveforms')
    .set({ lease_id: null, leased_until: null, attempts })
    .where('sound_seq', '=', seq)
    .where('lease_id', '=', leaseId)
    .execute();
}

/** Records that this version of the decoder gave up. Returns whether the lease was still held. */
export async function markUnreadable(
  db: Db,
  { seq, leaseId }: Lease,
  version: number,
  attempts: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unread_waveforms')
    .set({ state: 'failed', failed_version: version, attempts, lease_id: null, leased_until: null })
    .where('sound_seq', '=', seq)
    .where('lease_id', '=', leaseId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteUnreadWaveform(db: Db, seq: number): Promise<void> {
  await db.deleteFrom('unread_waveforms').where('sound_seq', '=', seq).execute();
}
