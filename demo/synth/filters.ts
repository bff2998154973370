import { SAMPLE_RATE } from './audio.ts';

type Mode = 'low' | 'band' | 'high';

/** Variable cut-offs are updated once per this many samples. */
const CONTROL_SAMPLES = 16;

/**
 * State-variable filter (Zavalishin, "The Art of VA Filter Design"), 12 dB per octave, in place. `hertz` may be a
 * function of seconds. `band` is scaled to a peak of 1.
 */
export function filter(
  buffer: Float32Array,
  mode: Mode,
  hertz: number | ((seconds: number) => number),
  q = Math.SQRT1_2,
): Float32Array {
  const damping = 1 / q;
  let first = 0;
  let second = 0;
  let g = 0;
  let a1 = 0;
  let a2 = 0;
  for (let i = 0; i < buffer.length; i++) {
    if (i === 0 || (typeof hertz === 'function' && i % CONTROL_SAMPLES === 0)) {
      const cutoff = typeof hertz === 'function' ? hertz(i / SAMPLE_RATE) : hertz;
      g = Math.tan((Math.PI * Math.min(Math.max(cutoff, 10), SAMPLE_RATE * 0.45)) / SAMPLE_RATE);
      a1 = 1 / (1 + g * (g + damping));
      a2 = g * a1;
    }
    const input = buffer[i]!;
    const v3 = input - second;
    const band = a1 * first + a2 * v3;
    const low = second + g * band;
    first = 2 * band - first;
    second = 2 * low - second;
    if (mode === 'low') buffer[i] = low;
    else if (mode === 'band') buffer[i] = band * damping;
    else buffer[i] = input - damping * band - low;
  }
  return buffer;
}
