import { SAMPLE_RATE } from './audio.ts';

/** exp(-t / tau) after a linear attack; times in seconds. In place. */
export function decay(buffer: Float32Array, tau: number, attack = 0.001): Float32Array {
  const attackSamples = Math.max(1, attack * SAMPLE_RATE);
  const factor = Math.exp(-1 / (tau * SAMPLE_RATE));
  let level = 1;
  for (let i = 0; i < buffer.length; i++) {
    if (i < attackSamples) buffer[i]! *= i / attackSamples;
    else buffer[i]! *= level *= factor;
  }
  return buffer;
}

/** Attack, fall to `sustain` with time constant `fall`, hold to `gate`, release to nothing by the buffer's end. */
export function gateEnvelope(
  buffer: Float32Array,
  gate: number,
  attack: number,
  fall: number,
  sustain: number,
): Float32Array {
  const attackSamples = Math.max(1, attack * SAMPLE_RATE);
  const gateSamples = Math.min(buffer.length, gate * SAMPLE_RATE);
  const releaseSamples = Math.max(1, buffer.length - gateSamples);
  const factor = Math.exp(-1 / (fall * SAMPLE_RATE));
  let level = 0;
  for (let i = 0; i < buffer.length; i++) {
    if (i < attackSamples) level = i / attackSamples;
    else level = sustain + (level - sustain) * factor;
    const released = i < gateSamples ? 1 : 1 - (i - gateSamples) / releaseSamples;
    buffer[i]! *= level * released * released;
  }
  return buffer;
}

/** Multiplies by a function of seconds, in place. */
export function shape(buffer: Float32Array, gain: (seconds: number) => number): Float32Array {
  for (let i = 0; i < buffer.length; i++) buffer[i]! *= gain(i / SAMPLE_RATE);
  return buffer;
}

/** Straight lines through [seconds, value] points, held before the first and after the last. */
export function line(...points: [number, number][]): (seconds: number) => number {
  return (seconds) => {
    let previous = points[0] as [number, number];
    for (const point of points) {
      if (seconds < point[0]) {
        const span = point[0] - previous[0];
        if (span <= 0) return point[1];
        return previous[1] + ((point[1] - previous[1]) * (seconds - previous[0])) / span;
      }
      previous = point;
    }
    return previous[1];
  };
}

/** Linear fades at both ends, in seconds, in place. */
export function fadeEnds(buffer: Float32Array, fadeIn: number, fadeOut: number): Float32Array {
  const inSamples = Math.min(buffer.length, Math.round(fadeIn * SAMPLE_RATE));
  const outSamples = Math.min(buffer.length, Math.round(fadeOut * SAMPLE_RATE));
  for (let i = 0; i < inSamples; i++) buffer[i]! *= i / inSamples;
  for (let i = 0; i < outSamples; i++) buffer[buffer.length - 1 - i]! *= i / outSamples;
  return buffer;
}
