import type { Random } from '../random.ts';
import { addAt, layer, scale, silence } from './audio.ts';
import { decay } from './envelopes.ts';
import { filter } from './filters.ts';
import { tone, whiteNoise } from './oscillators.ts';
import { modes } from './struck.ts';

type Drum = (random: Random) => Float32Array;

function noiseHit(
  random: Random,
  seconds: number,
  tau: number,
  mode: 'low' | 'band' | 'high',
  hertz: number,
  q = 0.8,
) {
  return decay(filter(whiteNoise(seconds, random), mode, hertz, q), tau);
}

/** A drum skin whose pitch falls from `high` to `low`. */
function skin(high: number, low: number, fall: number, tau: number): Float32Array {
  return decay(
    tone('sine', tau * 6, (t) => low + (high - low) * Math.exp(-t / fall)),
    tau,
    0.0015,
  );
}

function repeated(hit: Float32Array, times: readonly number[], seconds: number): Float32Array {
  const out = silence(seconds);
  times.forEach((time, i) => addAt(out, hit, time, 0.6 + (0.4 * (i + 1)) / times.length));
  return out;
}

const metal = [2, 3.01, 4.16, 5.43, 6.79, 8.21];

function cymbal(random: Random, tau: number, hertz: number): Float32Array {
  // prettier-ignore
  const ringing = modes(420, tau * 5, metal.map((ratio) => [ratio * 2.3, 0.05, tau] as const));
  return layer(filter(ringing, 'high', hertz), scale(noiseHit(random, tau * 5, tau, 'high', hertz), 0.7));
}

export const drums = {
  kick: (random) =>
    layer(skin(150, 48, 0.035, 0.13), scale(noiseHit(random, 0.02, 0.004, 'high', 2500), 0.25)),
  softKick: () => skin(110, 50, 0.03, 0.1),
  snare: (random) =>
    layer(scale(skin(240, 180, 0.02, 0.06), 0.55), scale(noiseHit(random, 0.35, 0.075, 'high', 1400), 0.6)),
  brush: (random) => decay(filter(whiteNoise(0.3, random), 'band', 3800, 0.6), 0.07, 0.02),
  // prettier-ignore
  rim: () => modes(1700, 0.08, [[1, 0.5, 0.012], [1.47, 0.4, 0.008]]),
  hat: (random) => scale(cymbal(random, 0.028, 7500), 0.7),
  openHat: (random) => scale(cymbal(random, 0.13, 7000), 0.6),
  ride: (random) => scale(cymbal(random, 0.28, 5200), 0.4),
  crash: (random) => scale(cymbal(random, 0.6, 3600), 0.7),
  clap: (random) => repeated(noiseHit(random, 0.25, 0.035, 'band', 1500, 1.2), [0, 0.011, 0.023], 0.3),
  tom: () => skin(150, 95, 0.05, 0.14),
  lowTom: () => skin(105, 68, 0.06, 0.17),
  taiko: (random) =>
    layer(skin(105, 62, 0.05, 0.26), scale(noiseHit(random, 0.08, 0.02, 'band', 420, 0.8), 0.5)),
  // prettier-ignore
  taikoRim: (random) => layer(modes(820, 0.1, [[1, 0.4, 0.02], [1.9, 0.3, 0.012]]), noiseHit(random, 0.03, 0.006, 'high', 2600)),
  shaker: (random) => decay(filter(whiteNoise(0.12, random), 'band', 6200, 0.9), 0.03, 0.014),
  // prettier-ignore
  woodBlock: () => modes(930, 0.12, [[1, 0.6, 0.022], [2.4, 0.25, 0.01]]),
  chipKick: () =>
    decay(
      tone('triangle', 0.16, (t) => 60 + 260 * Math.exp(-t / 0.025)),
      0.05,
    ),
  chipSnare: (random) => scale(noiseHit(random, 0.16, 0.045, 'low', 7000), 0.5),
  chipHat: (random) => scale(noiseHit(random, 0.06, 0.014, 'high', 6000), 0.4),
} satisfies Record<string, Drum>;

export type DrumName = keyof typeof drums;
