/** Hz; the rate of every buffer here. At our bit rates MP3 keeps nothing above 16 kHz, and a lower rate is faster. */
export const SAMPLE_RATE = 32_000;

export interface Stereo {
  left: Float32Array;
  right: Float32Array;
}

export function toSamples(seconds: number): number {
  return Math.max(0, Math.round(seconds * SAMPLE_RATE));
}

export function silence(seconds: number): Float32Array {
  return new Float32Array(toSamples(seconds));
}

export function stereoSilence(seconds: number): Stereo {
  return { left: silence(seconds), right: silence(seconds) };
}

/** Adds `source` to `target` from `atSeconds` on; samples outside of it are dropped. */
export function addAt(target: Float32Array, source: Float32Array, atSeconds: number, gain = 1): Float32Array {
  const start = Math.round(atSeconds * SAMPLE_RATE);
  const from = Math.max(0, -start);
  const to = Math.min(source.length, target.length - start);
  for (let i = from; i < to; i++) target[start + i]! += source[i]! * gain;
  return target;
}

/** `pan` runs from -1 (left) to 1 (right), equal power. */
export function addPanned(
  target: Stereo,
  source: Float32Array,
  atSeconds: number,
  gain: number,
  pan: number,
) {
  const angle = ((pan + 1) * Math.PI) / 4;
  addAt(target.left, source, atSeconds, gain * Math.cos(angle));
  addAt(target.right, source, atSeconds, gain * Math.sin(angle));
}

export function layer(...buffers: Float32Array[]): Float32Array {
  const mixed = new Float32Array(Math.max(...buffers.map((buffer) => buffer.length)));
  for (const buffer of buffers) addAt(mixed, buffer, 0);
  return mixed;
}

export function scale(buffer: Float32Array, gain: number): Float32Array {
  for (let i = 0; i < buffer.length; i++) buffer[i]! *= gain;
  return buffer;
}
