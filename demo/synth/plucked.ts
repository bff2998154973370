import type { Random } from '../random.ts';
import { SAMPLE_RATE, silence } from './audio.ts';

export interface Pluck {
  /** 0 dull to 1 bright: the treble of the pick. */
  brightness: number;
  /** Seconds for the fundamental to fall by 60 dB, before damping. */
  sustain: number;
  /** Where the string is struck, as a fraction of its length. */
  position: number;
  /** 0 none to 1: treble lost in each round trip. */
  damping: number;
}

/** Karplus-Strong string with fractional tuning and a pick-position comb. */
export function pluck(hertz: number, seconds: number, random: Random, how: Pluck): Float32Array {
  const out = silence(seconds);
  const period = SAMPLE_RATE / hertz - 0.5 * how.damping;
  const whole = Math.max(2, Math.floor(period));
  const fraction = period - whole;
  const size = whole + 2;
  const string = new Float32Array(size);
  let smooth = 0;
  const excitation = Float32Array.from({ length: whole }, () => {
    smooth += (random() * 2 - 1 - smooth) * (0.08 + 0.92 * how.brightness ** 2);
    return smooth;
  });
  const comb = Math.max(1, Math.round(whole * how.position));
  let mean = 0;
  for (let i = 0; i < whole; i++) {
    string[i] = excitation[i]! - excitation[(i + whole - comb) % whole]!;
    mean += string[i]! / whole;
  }
  for (let i = 0; i < whole; i++) string[i]! -= mean;
  const loss = 10 ** (-3 / (hertz * how.sustain));
  const mix = 0.5 * how.damping;
  let previous = 0;
  let write = whole;
  for (let i = 0; i < out.length; i++) {
    const near = string[(write - whole + size) % size]!;
    const far = string[(write - whole - 1 + size) % size]!;
    const value = near + (far - near) * fraction;
    const damped = (value * (1 - mix) + previous * mix) * loss;
    previous = value;
    string[write] = damped;
    write = write + 1 === size ? 0 : write + 1;
    out[i] = damped * 1.6;
  }
  const attack = Math.min(out.length, 30);
  for (let i = 0; i < attack; i++) out[i]! *= i / attack;
  return out;
}
