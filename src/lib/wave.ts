import { FLAT_PEAKS, decodePeaks } from '../../contract/peaks.ts';

/** The waveform's drawing, in units of its viewBox. */
export const WAVE_WIDTH = 192;
export const WAVE_HEIGHT = 32;
const BAR_STEP = 3;

/** The SVG path of a sound's peaks, one vertical stroke per bar; a flat line if there are none yet. */
export function toWavePath(peaks: string | undefined): string {
  if (!peaks || peaks === FLAT_PEAKS) return `M0 16h${WAVE_WIDTH}`;
  return decodePeaks(peaks)
    .map((peak, index) => {
      const half = Math.max(1, Math.round(peak * 15));
      return `M${index * BAR_STEP + 1} ${16 - half}v${half * 2}`;
    })
    .join('');
}
