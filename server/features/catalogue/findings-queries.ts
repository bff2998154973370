import type { SoundFindings } from '../../../contract/sounds/sound-findings.ts';
import type { Db } from './tables.ts';

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
