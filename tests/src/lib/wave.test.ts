import { expect, it } from 'vitest';
import { FLAT_PEAKS, PEAK_BARS, encodePeaks } from '../../../contract/peaks.ts';
import { toWavePath } from '../../../src/lib/wave.ts';

it('an unknown waveform is a line', () => {
  expect(toWavePath(FLAT_PEAKS)).toBe(toWavePath(undefined));
});

it('a constant level is drawn as bars, and silence as the shortest bars', () => {
  const bars = (level: number) => toWavePath(encodePeaks(Array.from({ length: PEAK_BARS }, () => level)));
  expect(bars(1).match(/v30/g)).toHaveLength(PEAK_BARS);
  expect(bars(0).match(/v2(?!\d)/g)).toHaveLength(PEAK_BARS);
});
