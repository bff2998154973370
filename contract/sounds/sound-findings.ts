import * as v from 'valibot';

/**
 * Possible defects, measured in the decoded sound of an upload. Only its artist receives them; they are advice and
 * block nothing. Times are milliseconds from the beginning of the file.
 */
export const SoundFindingsSchema = v.object({
  /** Duration of silence at the beginning. */
  silent_head_ms: v.number(),
  /** Whether all of it is silent; absent in findings measured before this field existed. */
  is_silent: v.optional(v.boolean()),
  /** Start of the first `CLIPS_MAX` clipped sections, in order. */
  clips_ms: v.array(v.number()),
  /** Number of all clipped sections. */
  clip_count: v.number(),
  /** Where unreadable sections of the uploaded file were removed, in order; absent if there are none. */
  gaps_ms: v.optional(v.array(v.number())),
  /** Whether it ends abruptly instead of fading out or ending in silence. */
  is_tail_cut: v.boolean(),
  /** Integrated loudness (ITU-R BS.1770-4) in LUFS; null for sounds that are silent or shorter than 0.4 s. */
  loudness_lufs: v.nullable(v.number()),
  /**
   * True peak (ITU-R BS.1770-4, annex 2) in dBTP, rounded up to tenths; null for silence, absent in findings measured
   * before this field existed.
   */
  true_peak_dbtp: v.optional(v.nullable(v.number())),
});
export type SoundFindings = v.InferOutput<typeof SoundFindingsSchema>;

export const CLIPS_MAX = 20;
/** Longer silence at the beginning is reported. */
export const SILENT_HEAD_MS_MAX = 500;
