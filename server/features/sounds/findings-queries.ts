import type { Kysely } from 'kysely';
import type { SoundFindings } from '../../../contract/sound-findings.ts';
import type { Schema } from '../../database/schema.ts';

type Db = Kysely<Schema>;

/** Keeps what was measured in a sound, in place of what may be there. */
export async function putFindings(db: Db, seq: number, findings: SoundFindings): Promise<void> {
  const { silent_head_ms, clip_count, loudness_lufs } = findings;
  const row = {
    silent_head_ms,
    is_silent: findings.is_silent === true ? 1 : 0,
    clips_ms: JSON.stringify(findings.clips_ms),
    clip_count,
    is_tail_cut: findings.is_tail_cut ? 1 : 0,
    loudness_lufs,
  } as const;
  await db
    .insertInto('sound_findings')
    .values({ sound_seq: seq, ...row })
    .onConflict((on) => on.column('sound_seq').doUpdateSet(row))
    .execute();
}

/** The findings in those of some sounds that are this artist's, by seq; nobody else's are read at all. */
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
    rows.map(({ sound_seq, clips_ms, gaps_ms, is_silent, is_tail_cut, ...rest }) => [
      sound_seq,
      {
        ...rest,
        is_silent: is_silent === 1,
        clips_ms: JSON.parse(clips_ms) as number[],
        ...(gaps_ms !== null && { gaps_ms: JSON.parse(gaps_ms) as number[] }),
        is_tail_cut: is_tail_cut === 1,
      },
    ]),
  );
}

/** What is noted of a sound that nobody has decoded yet; undefined when somebody has, or it is gone. */
export function findUnread(
  db: Db,
  seq: number,
): Promise<{ readonly attempts: number; readonly audio_size: number } | undefined> {
  return db
    .selectFrom('unread_waveforms')
    .innerJoin('sounds', 'sounds.seq', 'unread_waveforms.sound_seq')
    .select(['unread_waveforms.attempts', 'sounds.audio_size'])
    .where('unread_waveforms.sound_seq', '=', seq)
    .executeTakeFirst();
}

/** Counts that a sound is about to be decoded; undefined when that is done already, or the sound gone. */
export async function beginReading(
  db: Db,
  seq: number,
): Promise<{ readonly attempts: number; readonly durationMs: number } | undefined> {
  const note = await db
    .updateTable('unread_waveforms')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('sound_seq', '=', seq)
    .returning('attempts')
    .executeTakeFirst();
  const sound = await db.selectFrom('sounds').select('duration_ms').where('seq', '=', seq).executeTakeFirst();
  return note && sound && { attempts: note.attempts, durationMs: sound.duration_ms };
}

/** Takes back what was counted, for a sound that was not to blame. */
export async function giveBackReading(db: Db, seq: number): Promise<void> {
  await db
    .updateTable('unread_waveforms')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('sound_seq', '=', seq)
    .where('attempts', '>', 0)
    .execute();
}

/** Whether it was still noted. */
export async function endReading(db: Db, seq: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('unread_waveforms')
    .where('sound_seq', '=', seq)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
