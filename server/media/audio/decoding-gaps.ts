import { UnusableAudioError } from './facts.ts';
import { createBoxReader, has, requireBox } from './m4a-boxes.ts';
import { readCodec } from './m4a-codec.ts';
import { readSizes } from './m4a-sizes.ts';
import { mergeRanges, readChunks } from './m4a-tables.ts';
import type { ByteSource } from './source.ts';
import { listSampleTable } from './channel-count.ts';

/** The minimum loss, in frames (70 ms at 44.1 kHz) and as a share of a step: above rounding errors. */
const LOST_FRAMES_MIN = 3;
const LOST_SHARE_MIN = 0.25;

/**
 * Bytes and frames of a step. Few bytes locate losses within half a second at 128 kbit/s; few frames make sure that a
 * file of tiny broken frames, each of which takes longer than a good one, is noticed early.
 */
const STEP_BYTES_MAX = 8 * 1024;
const STEP_FRAMES_MAX = 100;
/**
 * Frames without sound after which a sound is given up: this many, if they are half of all so far or a quarter of all
 * that there are. Those that edits hide do not count, though they are decoded as well (10,000 are four minutes).
 */
const SILENT_FRAMES_MAX = 200;
const SILENT_SHARE_MAX = { soFar: 1 / 2, ofAll: 1 / 4 };
const HIDDEN_FRAMES_MAX = 10_000;

export interface GapDetector {
  /** Where the next step ends, in bytes. Throws `UnusableAudioError` if too many frames have given no sound. */
  nextStep(fedBytes: number): number;
  /** Call with the number of the file's bytes passed to the decoder so far, and the samples it produced from them. */
  note(fedBytes: number, samples: number, sampleRateHz: number): void;
  /** Positions of lost frames, in ms, in order. */
  gapsMs(): number[];
}

/**
 * Finds passages of a clean M4A that cannot be decoded. The decoder skips damaged frames, so its output falls behind
 * its input. The end is not evaluated: a cut by an edit list looks the same. `durationMs`: of the audible part. Throws
 * `UnusableAudioError`.
 */
export async function createGapDetector(source: ByteSource, durationMs: number): Promise<GapDetector> {
  const reader = createBoxReader(source);
  const boxes = await listSampleTable(reader);
  const { coreRateHz, samplesPerFrame } = await readCodec(reader, requireBox(boxes, 'stsd'));
  const sizes = await readSizes(reader, boxes);
  const stsc = await reader.content(boxes, 'stsc');
  const type = has(boxes, 'stco') ? 'stco' : 'co64';
  const offsets = { type, content: await reader.content(boxes, type) } as const;
  const [range, another] = mergeRanges(readChunks({ sizes, stsc, offsets }));
  /** Where the next frame starts; partial frames are ignored. */
  let at = another === undefined && range !== undefined ? range.start : Infinity;
  let frames = 0;
  let decoded = 0;
  /** The decoder's lag at the last step without a loss: the encoder's delay and earlier losses. */
  let lag = 0;
  let isBegun = false;
  let isInGap = false;
  let pendingMs: number | undefined;
  const found: number[] = [];
  /** The frames that are passed to the decoder, and the end of the last one. */
  let fedFrames = 0;
  let fedEnd = at;
  let sounding = 0;
  /** Where the step began, whether it has given sound, and the first of the steps before it that gave none. */
  let stepStart = 0;
  let hasSounded = true;
  let silentFrom = Infinity;
  const audibleFrames = (durationMs * coreRateHz) / 1000 / samplesPerFrame;
  const hiddenFrames = Math.min(HIDDEN_FRAMES_MAX, Math.max(0, sizes.count - audibleFrames));
  const toMs = (frame: number) => Math.round((frame * samplesPerFrame * 1000) / coreRateHz);

  return {
    nextStep(fedBytes) {
      const silent = fedFrames - sounding - hiddenFrames;
      const { soFar, ofAll } = SILENT_SHARE_MAX;
      if (silent > SILENT_FRAMES_MAX && silent > Math.min(fedFrames * soFar, sizes.count * ofAll)) {
        throw new UnusableAudioError('too many frames give no sound');
      }
      if (!hasSounded) silentFrom = Math.min(silentFrom, stepStart);
      [stepStart, hasSounded] = [fedFrames, false];
      const end = fedBytes + STEP_BYTES_MAX;
      const lastFrame = fedFrames + STEP_FRAMES_MAX;
      while (fedFrames < sizes.count && fedFrames < lastFrame && fedEnd + sizes.at(fedFrames) <= end) {
        fedEnd += sizes.at(fedFrames++);
      }
      return fedFrames === lastFrame ? fedEnd : end;
    },
    note(fedBytes, samples, sampleRateHz) {
      // Twice as many for HE-AAC.
      sounding = samples / samplesPerFrame;
      const before = frames;
      while (frames < sizes.count && at + sizes.at(frames) <= fedBytes) at += sizes.at(frames++);
      // HE-AAC produces twice as many samples. Any other ratio means a false sample rate, and nothing can be concluded.
      if (sampleRateHz !== coreRateHz && sampleRateHz !== coreRateHz * 2) return;
      const now = (samples * coreRateHz) / sampleRateHz / samplesPerFrame;
      const step = frames - before;
      const decodedBefore = decoded;
      const lost = step - (now - decoded);
      decoded = now;
      // More sound followed, so the last loss was not the end.
      if (pendingMs !== undefined) found.push(pendingMs);
      pendingMs = undefined;
      const wasInGap = isInGap;
      // The encoder's delay is missing from the first step.
      isInGap = isBegun && lost >= LOST_FRAMES_MIN && lost >= step * LOST_SHARE_MIN;
      if (isInGap && !wasInGap) {
        // The loss may have started at the end of the previous step.
        const first = decodedBefore + lag;
        pendingMs = toMs(first < before - 1 ? first : Math.min(now + lag, silentFrom));
      }
      [hasSounded, silentFrom] = [true, Infinity];
      if (!isBegun || lost < 1) lag = frames - now;
      isBegun = true;
    },
    gapsMs: () => found,
  };
}
