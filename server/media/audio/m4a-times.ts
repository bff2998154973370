import { UnusableAudioError } from './facts.ts';
import { u32 } from './m4a-sizes.ts';

/**
 * The number of consecutive frames of the same duration, in track units: an entry of an `stts` (ISO 14496-12 §8.6.1.2).
 */
export type Times = readonly [frames: number, units: number];

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

/** Only the times of existing frames; undefined if some have none. */
export function cutTimes(times: readonly Times[], frames: number): Times[] | undefined {
  const cut: Times[] = [];
  let left = frames;
  for (const [claimed, units] of times) {
    const taken = Math.min(left, claimed);
    if (taken > 0) cut.push([taken, units]);
    left -= taken;
  }
  return left === 0 ? cut : undefined;
}
