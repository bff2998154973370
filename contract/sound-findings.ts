import * as v from 'valibot';

/**
 * What a listener might complain of, measured in the decoded sound of an upload. Only its artist is
 * sent it; it is advice and hinders nothing. Times are milliseconds from the beginning of the file.
 */
export const SoundFindingsSchema = v.object({
  /** How long it is silent at the beginning. */
  silent_head_ms: v.number(),
  /** Whether it is silent throughout; absent in what was measured before this was known. */
  is_silent: v.optional(v.boolean()),
  /** Where it clips: the first `CLIPS_MAX` stretches, in order. */
  clips_ms: v.array(v.number()),
  /** All of them. */
  clip_count: v.number(),
  /** Where passages of the uploaded file could not be read and were left out, in order; absent where there are none. */
  gaps_ms: v.optional(v.array(v.number())),
  /** Whether it ends at once instead of fading or falling silent. */
  is_tail_cut: v.boolean(),
  /** Integrated loudness of ITU-R BS.1770-4 in LUFS; null for what is shorter than 0.4 s, or silent. */
  loudness_lufs: v.nullable(v.number()),
});
export type SoundFindings = v.InferOutput<typeof SoundFindingsSchema>;

export const CLIPS_MAX = 20;
/** Longer silence at the beginning is told of. */
export const SILENT_HEAD_MS_MAX = 500;
