import { CLIPS_MAX } from '../../../contract/sounds/sound-findings.ts';

/** Fewer consecutive samples at full scale are a peak that only touches it. */
const RUN_SAMPLES = 3;
/** Relative to full scale; can be exceeded: a lossy decoder overshoots if its encoder was given clipped sound. */
export const CLIPPED = 0.999;
/** Passages that are closer together are perceived as one. */
const MERGE_GAP_MS = 100;

export interface Clips {
  readonly clips_ms: number[];
  readonly clip_count: number;
}

/** Detects where a sound clips, in any of its channels. */
export function createClipDetector(sampleRateHz: number) {
  const mergeGap = (MERGE_GAP_MS * sampleRateHz) / 1000;
  /** Consecutive samples at full scale so far, by channel. */
  const runs: number[] = [];
  const clips_ms: number[] = [];
  let clip_count = 0;
  let lastAt = -Infinity;

  function note(from: number, to: number): void {
    if (from - lastAt >= mergeGap) {
      clip_count += 1;
      if (clips_ms.length < CLIPS_MAX) clips_ms.push(Math.round((from * 1000) / sampleRateHz));
    }
    lastAt = to;
  }

  return {
    /** Processes the next samples of every channel; `start` is the index of the first one. */
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
    /** Records that the following samples are below full scale. */
    pass(): void {
      runs.length = 0;
    },
    clips: (): Clips => ({ clips_ms, clip_count }),
  };
}
