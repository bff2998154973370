import { describe, expect, test } from 'vitest';
import { createTruePeakMeter } from '#server/media/analysis/true-peak.ts';
import { analyse, silence, tone } from '#support/files/signals.ts';

interface Sine {
  readonly rate?: number;
  /** As a share of the sample rate. */
  readonly share: number;
  readonly phase?: number;
  readonly level?: number;
}

/** A sine that begins and ends softly. */
function sine({ rate = 48_000, share, phase = 0, level = 0.5 }: Sine): Float32Array {
  return Float32Array.from({ length: rate }, (_, index) => {
    const fade = Math.min(1, (10 * index) / rate, 10 * (1 - index / rate));
    return level * fade * Math.sin(2 * Math.PI * share * index + phase);
  });
}

function peakOf(channels: readonly Float32Array[], pieceSamples = 4_800): number | null {
  const meter = createTruePeakMeter();
  for (let at = 0; at < (channels[0]?.length ?? 0); at += pieceSamples) {
    meter.add(channels.map((samples) => samples.subarray(at, at + pieceSamples)));
  }
  return meter.finish();
}

const toDb = (level: number) => 20 * Math.log10(level);
const samplePeak = (samples: Float32Array) => toDb(Math.max(...samples.map(Math.abs)));

describe('the true peak', () => {
  test('of a sine at a quarter of the rate, 45° from its samples, is 3 dB above them', () => {
    for (const rate of [44_100, 48_000]) {
      const samples = sine({ rate, share: 1 / 4, phase: Math.PI / 4 });
      expect(samplePeak(samples)).toBeCloseTo(toDb(0.5) - 3.01, 2);
      expect(peakOf([samples])).toBeCloseTo(toDb(0.5), 1);
    }
  });

  // EBU Tech 3341, cases 15 to 19, with its tolerance.
  test.each([
    { share: 1 / 4, phase: 0, level: 0.5 },
    { share: 1 / 4, phase: Math.PI / 4, level: 0.5 },
    { share: 1 / 6, phase: Math.PI / 3, level: 0.5 },
    { share: 1 / 8, phase: (3 * Math.PI) / 8, level: 0.5 },
    { share: 1 / 4, phase: Math.PI / 4, level: 1.41 },
  ])('is within 0.2 dB above and 0.4 dB below: $share of the rate, phase $phase, level $level', (options) => {
    const error = (peakOf([sine(options)]) ?? Number.NaN) - toDb(options.level);
    expect(error).toBeGreaterThan(-0.4);
    expect(error).toBeLessThan(0.2);
  });

  test('is within that tolerance at every phase, up to 20 kHz', () => {
    for (const hz of [100, 997, 5_000, 12_000, 16_000, 20_000]) {
      for (let phase = 0; phase < 3; phase += 0.31) {
        const error = (peakOf([sine({ share: hz / 48_000, phase })]) ?? Number.NaN) - toDb(0.5);
        expect(error, `${hz} Hz at ${phase}`).toBeGreaterThan(-0.4);
        expect(error, `${hz} Hz at ${phase}`).toBeLessThan(0.2);
      }
    }
  });

  test('is that of the loudest channel, wherever the pieces end', () => {
    const quiet = sine({ share: 1 / 4, phase: Math.PI / 4, level: 0.1 });
    const loud = sine({ share: 1 / 4, phase: Math.PI / 4 });
    for (const piece of [1, 7, 16, 4_801]) {
      expect(peakOf([loud, quiet], piece)).toBeCloseTo(toDb(0.5), 1);
      expect(peakOf([quiet, loud], piece)).toBe(peakOf([loud, quiet], 100_000));
    }
  });

  test('includes the first and the last samples', () => {
    for (const at of [0, 1, 15, 16, 98, 99]) {
      const samples = new Float32Array(100);
      samples[at] = 0.5;
      expect(peakOf([samples])).toBeCloseTo(toDb(0.5), 5);
    }
  });

  test('ignores what a decoder makes of damaged frames, and is null for silence', () => {
    const samples = tone(1, -20);
    const clean = peakOf([samples]);
    for (const damage of [Number.NaN, Infinity, -Infinity, 1e9, -40]) {
      samples[5_000] = damage;
      expect(peakOf([samples])).toBeCloseTo(clean ?? 0, 0);
    }
    expect(peakOf([silence(1)])).toBeNull();
    expect(peakOf([])).toBeNull();
  });

  test('is a finding, rounded up to tenths', () => {
    const { true_peak_dbtp: dbtp } = analyse([
      sine({ rate: 44_100, share: 1 / 4, phase: Math.PI / 4, level: 0.515 }),
    ]).findings;
    // −5.76 dB.
    expect(dbtp).toBe(-5.7);
    expect(analyse([silence(1)]).findings.true_peak_dbtp).toBeNull();
  });
});
