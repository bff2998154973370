import { SAMPLE_RATE, silence } from './audio.ts';
import { sine } from './oscillators.ts';

/** One ringing mode: frequency as a multiple of the base, level, and decay time constant in seconds. */
export type Mode = readonly [ratio: number, level: number, tau: number];

/** Sum of decaying sines: bells, bars, boards, glass, coins. */
export function modes(hertz: number, seconds: number, list: readonly Mode[], attack = 0.001): Float32Array {
  const out = silence(seconds);
  for (const [ratio, level, tau] of list) {
    const step = (hertz * ratio) / SAMPLE_RATE;
    if (step > 0.45) continue;
    const factor = Math.exp(-1 / (tau * SAMPLE_RATE));
    const end = Math.min(out.length, Math.round(tau * 8 * SAMPLE_RATE));
    let amplitude = level;
    let phase = 0;
    for (let i = 0; i < end; i++) {
      out[i]! += sine(phase) * amplitude;
      amplitude *= factor;
      phase += step;
    }
  }
  const attackSamples = Math.min(out.length, Math.round(attack * SAMPLE_RATE));
  for (let i = 0; i < attackSamples; i++) out[i]! *= i / attackSamples;
  return out;
}
