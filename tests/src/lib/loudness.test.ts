import { describe, expect, it } from 'vitest';
import { toGainData, toPreviewGain } from '#src/lib/loudness.ts';

const toDb = (gain: number) => 20 * Math.log10(gain);
const gainOf = (loudness_lufs?: number, true_peak_dbtp?: number) =>
  toDb(toPreviewGain({ loudness_lufs, true_peak_dbtp }));

describe('the gain of a preview', () => {
  it('brings each sound that is louder to the same loudness', () => {
    for (let lufs = -17; lufs <= 3; lufs += 0.7)
      expect(lufs + gainOf(lufs, -0.4), `${lufs} LUFS`).toBeCloseTo(-18, 0);
  });

  it('never amplifies, and lets no true peak exceed −1 dBTP', () => {
    for (let lufs = -70; lufs <= 3; lufs += 3.7)
      for (let peak = -60; peak <= 12; peak += 1.3) {
        const gain = gainOf(lufs, peak);
        expect(gain, `${lufs} LUFS, ${peak} dBTP`).toBeLessThanOrEqual(0);
        expect(peak + gain, `${lufs} LUFS, ${peak} dBTP`).toBeLessThanOrEqual(-1);
      }
    // A quiet sound with a peak beyond full scale.
    expect(gainOf(-30, 2)).toBeCloseTo(-3, 1);
    // Nothing has to be turned down.
    expect(gainOf(-30, -12)).toBe(0);
    expect(toGainData({ loudness_lufs: -30, true_peak_dbtp: -12 })).toBeUndefined();
  });

  it('limits the peaks of a sound that is too short for a loudness', () => {
    expect(gainOf(undefined, 0.5)).toBeCloseTo(-1.5, 1);
    expect(gainOf(undefined, -3)).toBe(0);
  });

  it('leaves 1 dB above the peaks of a sound that was measured without them', () => {
    for (const lufs of [-70, -40, -23, -18, -17, -9, 0]) expect(gainOf(lufs)).toBeLessThanOrEqual(-1);
    expect(gainOf(-40)).toBeCloseTo(-1, 1);
    expect(gainOf(-9)).toBeCloseTo(-9, 1);
  });

  it('is 1 for a sound that is not measured', () => {
    expect(toPreviewGain({ loudness_lufs: undefined, true_peak_dbtp: undefined })).toBe(1);
  });
});
