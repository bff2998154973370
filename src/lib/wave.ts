import { FLAT_PEAKS, decodePeaks } from '../../contract/peaks.ts';

/** The waveform's drawing, in units of its viewBox. */
export const WAVE_WIDTH = 192;
export const WAVE_HEIGHT = 32;
const BAR_STEP = 3;

/**
 * The SVG path of a sound's peaks, one vertical stroke per bar; a flat line if there are none yet. Moves are relative:
 * equal bars are equal text, which compresses better.
 */
export function toWavePath(peaks: string | undefined): string {
  if (!peaks || peaks === FLAT_PEAKS) return `M0 16h${WAVE_WIDTH}`;
  const halves = decodePeaks(peaks).map((peak) => Math.max(1, Math.round(peak * 15)));
  return halves
    .map((half, index) => {
      const before = halves[index - 1];
      const move = before === undefined ? `M1 ${16 - half}` : `m${BAR_STEP}-${before + half}`;
      return `${move}v${half * 2}`;
    })
    .join('');
}
