import { expect, it } from 'vitest';
import { FLAT_PEAKS, PEAK_BARS, encodePeaks } from '#contract/peaks.ts';
import { toWavePath } from '#src/lib/wave.ts';

it('an unknown waveform is a line', () => {
  expect(toWavePath(FLAT_PEAKS)).toBe(toWavePath(undefined));
});

it('a constant level is drawn as bars, and silence as the shortest bars', () => {
  const bars = (level: number) => toWavePath(encodePeaks(Array.from({ length: PEAK_BARS }, () => level)));
  expect(bars(1).match(/v30/g)).toHaveLength(PEAK_BARS);
  expect(bars(0).match(/v2(?!\d)/g)).toHaveLength(PEAK_BARS);
});

it('the bars are 3 units apart and stand on both sides of the middle', () => {
  const path = toWavePath(encodePeaks(Array.from({ length: PEAK_BARS }, (_, index) => (index % 8) / 7)));
  let [x, y] = [0, 0];
  const bars: [x: number, top: number, bottom: number][] = [];
  for (const [, letter, first, second, height] of path.matchAll(/([Mm])(\d+) ?(-?\d+)v(\d+)/g)) {
    [x, y] = letter === 'M' ? [Number(first), Number(second)] : [x + Number(first), y + Number(second)];
    bars.push([x, y, y + Number(height)]);
    y += Number(height);
  }
  expect(bars.length).toBe(PEAK_BARS);
  for (const [index, [at, top, bottom]] of bars.entries()) {
    expect(at).toBe(1 + index * 3);
    expect(top + bottom).toBe(32);
  }
});
