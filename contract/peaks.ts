/**
 * A waveform as text: `PEAK_BARS` characters, each the loudest sample of its stretch on a scale of
 * 36 steps written in base 36. 64 bars are what a card 200 px wide can show.
 */
export const PEAK_BARS = 64;
const STEPS = 35;

/** Peaks between 0 and 1 (any number of them) as text. Values out of range are clamped. */
export function encodePeaks(peaks: ArrayLike<number>): string {
  return Array.from(peaks, (peak) =>
    Math.round(Math.min(1, Math.max(0, peak || 0)) * STEPS).toString(36),
  ).join('');
}

/** What the embedded host sends until it has read a sound; the loudest bar of a sound that was read is always the highest. */
export const FLAT_PEAKS = encodePeaks(Array.from({ length: PEAK_BARS }, () => 0.5));

/** The peaks of a text, each between 0 and 1; characters that are no peak count as silence. */
export function decodePeaks(text: string): number[] {
  return Array.from(text, (character) => {
    const step = Number.parseInt(character, 36);
    return Number.isNaN(step) ? 0 : step / STEPS;
  });
}
