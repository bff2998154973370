import type { Random } from '../random.ts';
import { SAMPLE_RATE, silence } from './audio.ts';

const TABLE_SIZE = 4096;
const sineTable = Float32Array.from({ length: TABLE_SIZE + 1 }, (_, i) =>
  Math.sin((2 * Math.PI * i) / TABLE_SIZE),
);

/** Phases are in cycles. Read from a table because Math.sin is three times slower. */
export function sine(phase: number): number {
  const place = (phase - Math.floor(phase)) * TABLE_SIZE;
  const index = place | 0;
  const low = sineTable[index]!;
  return low + (sineTable[index + 1]! - low) * (place - index);
}

/** PolyBLEP: smooths the jumps of saw and pulse waves, so that high notes do not alias. */
function edge(phase: number, step: number): number {
  if (phase < step) {
    const x = phase / step;
    return x + x - x * x - 1;
  }
  if (phase > 1 - step) {
    const x = (phase - 1) / step;
    return x * x + x + x + 1;
  }
  return 0;
}

/** `phase` in [0, 1), `step` in cycles per sample. */
export function saw(phase: number, step: number): number {
  return 2 * phase - 1 - edge(phase, step);
}

export function pulse(phase: number, step: number, width: number): number {
  const shifted = phase + 1 - width;
  return (phase < width ? 1 : -1) + edge(phase, step) - edge(shifted - Math.floor(shifted), step);
}

export function triangle(phase: number): number {
  return 4 * Math.abs(phase - Math.floor(phase + 0.5)) - 1;
}

type Wave = 'sine' | 'saw' | 'square' | 'triangle';

/** A tone of variable frequency; `hertz` is called with seconds for every sample. */
export function tone(
  wave: Wave,
  seconds: number,
  hertz: number | ((seconds: number) => number),
): Float32Array {
  const out = silence(seconds);
  let phase = 0;
  for (let i = 0; i < out.length; i++) {
    const step = (typeof hertz === 'number' ? hertz : hertz(i / SAMPLE_RATE)) / SAMPLE_RATE;
    if (wave === 'sine') out[i] = sine(phase);
    else if (wave === 'saw') out[i] = saw(phase, step);
    else if (wave === 'square') out[i] = pulse(phase, step, 0.5);
    else out[i] = triangle(phase);
    phase += step;
    phase -= Math.floor(phase);
  }
  return out;
}

export function whiteNoise(seconds: number, random: Random): Float32Array {
  const out = silence(seconds);
  for (let i = 0; i < out.length; i++) out[i] = random() * 2 - 1;
  return out;
}

/** -3 dB per octave (Kellet's economy filter). */
export function pinkNoise(seconds: number, random: Random): Float32Array {
  const out = silence(seconds);
  let a = 0;
  let b = 0;
  let c = 0;
  for (let i = 0; i < out.length; i++) {
    const white = random() * 2 - 1;
    a = 0.99765 * a + white * 0.099046;
    b = 0.963 * b + white * 0.2965164;
    c = 0.57 * c + white * 1.0526913;
    out[i] = (a + b + c + white * 0.1848) * 0.25;
  }
  return out;
}

/** -6 dB per octave, without drift. */
export function brownNoise(seconds: number, random: Random): Float32Array {
  const out = silence(seconds);
  let level = 0;
  for (let i = 0; i < out.length; i++) {
    level = (level + (random() * 2 - 1) * 0.06) * 0.998;
    out[i] = level;
  }
  return out;
}
