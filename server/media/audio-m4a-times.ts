import { UnusableAudioError } from './audio-facts.ts';
import { makeTable, u32 } from './audio-m4a-tables.ts';

/** Samples per AAC frame (ISO 14496-3); the time tables must agree with it. */
export const SAMPLES_PER_FRAME = 1_024;

/**
 * The number of consecutive frames of the same duration, in track units: an entry of an `stts` (ISO 14496-12 §8.6.1.2).
 */
type Times = readonly [frames: number, units: number];

/** Throws `UnusableAudioError` for an `stts` that is too short. */
export function readTimes(stts: Buffer): Times[] {
  const count = u32(stts, 4);
  if (stts.byteLength < 8 + count * 8) throw new UnusableAudioError('times are missing');
  return Array.from({ length: count }, (_, index) => [
    stts.readUInt32BE(8 + index * 8),
    stts.readUInt32BE(12 + index * 8),
  ]);
}

export function sumTimes(times: readonly Times[]): number {
  return times.reduce((sum, [frames, units]) => sum + frames * units, 0);
}

/** The rewritten `stts`: only for existing frames, without trailing data. */
export function cleanTimes(times: readonly Times[], frames: number): Buffer {
  const kept: Times[] = [];
  let left = frames;
  for (const [claimed, units] of times) {
    const taken = Math.min(left, claimed);
    if (taken > 0) kept.push([taken, units]);
    left -= taken;
  }
  return makeTable(kept);
}
