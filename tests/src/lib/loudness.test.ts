import { describe, expect, it } from 'vitest';
import { toPreviewGain } from '../../../src/lib/loudness.ts';

const toDb = (gain: number) => 20 * Math.log10(gain);

describe('the gain of a preview', () => {
  it('brings each sound that is louder to the same loudness', () => {
    for (let lufs = -17; lufs <= 3; lufs += 0.7)
      expect(lufs + toDb(toPreviewGain(lufs)), `${lufs} LUFS`).toBeCloseTo(-18, 0);
  });

  it('never amplifies, and leaves 1 dB above the peaks of a measured sound', () => {
    for (const lufs of [-70, -40, -23, -18, -17, -9, 0])
      expect(toDb(toPreviewGain(lufs))).toBeLessThanOrEqual(-0.99);
    expect(toDb(toPreviewGain(-40))).toBeCloseTo(-1, 1);
  });

  it('is 1 where the loudness is unknown', () => {
    expect([null, undefined].map(toPreviewGain)).toEqual([1, 1]);
  });
});
