import { CLIPS_MAX } from '../../contract/sound-findings.ts';

/** So many samples in a row at full scale are no peak that just touched it. */
const RUN_SAMPLES = 3;
/** Of full scale, or beyond: a lossy decoder overshoots where its encoder was given clipped sound. */
export const CLIPPED = 0.999;
/** What is nearer together is one stretch to the ear. */
const APART_MS = 100;

export interface Clips {
  readonly clips_ms: number[];
  readonly clip_count: number;
}

/** Finds where a sound clips, in any of its channels. */
export function createClipDetector(sampleRateHz: number) {
  const apart = (APART_MS * sampleRateHz) / 1000;
  /** Samples at full scale up to now, by channel. */
  const runs: number[] = [];
  const clips_ms: number[] = [];
  let clip_count = 0;
  let lastAt = -Infinity;

  function note(from: number, to: number): void {
    if (from - lastAt >= apart) {
      clip_count += 1;
      if (clips_ms.length < CLIPS_MAX) clips_ms.push(Math.round((from * 1000) / sampleRateHz));
    }
    lastAt = to;
  }

  return {
    /** Takes the next samples of every channel, of which the first is the sound's `start`-th. */
    add(channels: readonly Float32Array[], start: number): void {
      const length = channels[0]?.length ?? 0;
      for (let index = 0; index < length; index += 1) {
        for (const [channel, samples] of channels.entries()) {
          const isFull = Math.abs(samples[index] ?? 0) >= CLIPPED;
          const run = isFull ? (runs[channel] ?? 0) + 1 : 0;
          runs[channel] = run;
          if (run >= RUN_SAMPLES) note(start + index - run + 1, start + index);
        }
      }
    },
    /** Takes note that what follows is nowhere at full scale. */
    pass(): void {
      runs.length = 0;
    },
    clips: (): Clips => ({ clips_ms, clip_count }),
  };
}
