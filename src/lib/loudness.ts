import type { Sound } from '../../contract/sounds/sounds.ts';

/** That of ReplayGain 2: most sounds are louder, and a media element can only turn down. */
const PREVIEW_LUFS = -18;
/** No preview is louder at any point, so that converters and the resampling of a browser do not distort it. */
const PREVIEW_DBTP = -1;
/** Assumed for the peaks of a sound that was measured without them. */
const UNMEASURED_DBTP = 0;

type Measured = Pick<Sound, 'loudness_lufs' | 'true_peak_dbtp'>;

/** The factor that brings a sound to the common loudness, at most 1; 1 for a sound that is not measured. */
export function toPreviewGain({ loudness_lufs: lufs, true_peak_dbtp: dbtp }: Measured): number {
  if (lufs === undefined && dbtp === undefined) return 1;
  // A sound without a loudness is silent, or too short for one.
  const db = Math.min(PREVIEW_LUFS - (lufs ?? -Infinity), PREVIEW_DBTP - (dbtp ?? UNMEASURED_DBTP), 0);
  // Rounded down, for the limit.
  return Math.floor(10 ** (db / 20) * 1_000) / 1_000;
}

/** The gain for `data-gain` of a card; none where it is 1. */
export function toGainData(sound: Measured): number | undefined {
  const gain = toPreviewGain(sound);
  return gain === 1 ? undefined : gain;
}
