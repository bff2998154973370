/**
 * Measured sounds play at this loudness, that of ReplayGain 2: most are louder, and a media element can only turn
 * down.
 */
const PREVIEW_LUFS = -18;
/** Also of quieter sounds, so that a file whose peaks reach 0 dBTP stays at −1. */
const GAIN_DB_MAX = -1;

/** The factor that brings a sound to the common loudness, at most 1; 1 where its loudness is unknown. */
export function toPreviewGain(lufs: number | null | undefined): number {
  if (lufs === null || lufs === undefined) return 1;
  const db = Math.min(PREVIEW_LUFS - lufs, GAIN_DB_MAX);
  return Math.round(10 ** (db / 20) * 1_000) / 1_000;
}

/** The gain for `data-gain` of a card; none where it is 1. */
export function toGainData(lufs: number | null | undefined): number | undefined {
  const gain = toPreviewGain(lufs);
  return gain === 1 ? undefined : gain;
}
