import { SAMPLE_RATE, type Stereo } from './audio.ts';

/** Mutually prime lengths in samples, so that echoes do not coincide. */
const LINE_SAMPLES = [1129, 1367, 1597, 1831, 2083, 2347, 2683, 3011];

export interface Room {
  /** Seconds until the tail has fallen by 60 dB. */
  decaySeconds: number;
  /** 0 bright to 1 dark. */
  damping: number;
  /** Level of the tail relative to the dry signal. */
  wet: number;
}

/** Feedback delay network of eight lines with a Householder matrix; adds its tail to `target` from `send`. */
export function addReverb(target: Stereo, send: Stereo, room: Room): void {
  const lines = LINE_SAMPLES.map((length) => new Float32Array(length));
  const places = new Int32Array(8);
  const memories = new Float32Array(8);
  const heard = new Float32Array(8);
  const gains = Float32Array.from(
    LINE_SAMPLES,
    (length) => 10 ** ((-3 * length) / SAMPLE_RATE / room.decaySeconds),
  );
  const keep = room.damping * 0.7;
  const wet = room.wet * 0.5;
  for (let i = 0; i < target.left.length; i++) {
    const inLeft = send.left[i]!;
    const inRight = send.right[i]!;
    let sum = 0;
    for (let n = 0; n < 8; n++) {
      const value = lines[n]![places[n]!]!;
      const damped = value + (memories[n]! - value) * keep;
      memories[n] = damped;
      const kept = damped * gains[n]!;
      heard[n] = kept;
      sum += kept;
    }
    const back = sum * 0.25;
    for (let n = 0; n < 8; n++) {
      const line = lines[n]!;
      const place = places[n]!;
      line[place] = heard[n]! - back + (n % 2 === 0 ? inLeft : inRight) * 0.5;
      places[n] = place + 1 === line.length ? 0 : place + 1;
    }
    target.left[i]! += (heard[0]! + heard[2]! - heard[4]! + heard[6]!) * wet;
    target.right[i]! += (heard[1]! - heard[3]! + heard[5]! + heard[7]!) * wet;
  }
}
