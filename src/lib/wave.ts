import { FLAT_PEAKS, decodePeaks } from '../../contract/sounds/peaks.ts';

/**
 * A sound's waveform as pages carry it: half the height of each bar as one hexadecimal digit, 1 to f; empty if there are
 * no peaks yet. The browser draws it (`drawWave`), which takes a tenth of the bytes of a path.
 */
export function toWave(peaks: string | undefined): string {
  if (!peaks || peaks === FLAT_PEAKS) return '';
  return decodePeaks(peaks)
    .map((peak) => Math.max(1, Math.round(peak * 15)).toString(16))
    .join('');
}
