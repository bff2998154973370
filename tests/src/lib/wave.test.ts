import { expect, it } from 'vitest';
import { FLAT_PEAKS, PEAK_BARS, encodePeaks } from '#contract/sounds/peaks.ts';
import { toWave } from '#src/lib/wave.ts';
import { drawWave } from '#src/lib/wave-drawing.ts';

const draw = (peaks: string | undefined) => drawWave(toWave(peaks));

it('an unknown waveform is a line', () => {
  expect(draw(FLAT_PEAKS)).toBe(draw(undefined));
});

it('a constant level is drawn as bars, and silence as the shortest bars', () => {
  const bars = (level: number) => draw(encodePeaks(Array.from({ length: PEAK_BARS }, () => level)));
  expect(bars(1).match(/v30/g)).toHaveLength(PEAK_BARS);
  expect(bars(0).match(/v2(?!\d)/g)).toHaveLength(PEAK_BARS);
});

it('the bars are 3 units apart and stand on both sides of the middle', () => {
  const path = draw(encodePeaks(Array.from({ length: PEAK_BARS }, (_, index) => (index % 8) / 7)));
  const bars = [...path.matchAll(/M(\d+) (\d+)v(\d+)/g)].map(([, x, top, height]) => [
    Number(x),
    Number(top),
    Number(top) + Number(height),
  ]);
  expect(bars.length).toBe(PEAK_BARS);
  for (const [index, [at, top, bottom]] of bars.entries()) {
    expect(at).toBe(1 + index * 3);
    expect(Number(top) + Number(bottom)).toBe(32);
  }
});
