/**
 * A waveform as text of `PEAK_BARS` characters. Each is the loudest sample of its section on a scale of 36 steps, in
 * base 36. A card 200 px wide can show 64 bars.
 */
export const PEAK_BARS = 64;
const STEPS = 35;

/** Encodes any number of peaks between 0 and 1. Values out of range are clamped. */
export function encodePeaks(peaks: ArrayLike<number>): string {
  return Array.from(peaks, (peak) =>
    Math.round(Math.min(1, Math.max(0, peak || 0)) * STEPS).toString(36),
  ).join('');
}

/**
 * Sent by the embedded host until it has decoded a sound. The loudest bar of a decoded sound always has the maximum
 * height.
 */
export const FLAT_PEAKS = encodePeaks(Array.from({ length: PEAK_BARS }, () => 0.5));

/** Decodes peaks, each between 0 and 1. Invalid characters count as silence. */
export function decodePeaks(text: string): number[] {
  return Array.from(text, (character) => {
    const step = Number.parseInt(character, 36);
    return Number.isNaN(step) ? 0 : step / STEPS;
  });
}
