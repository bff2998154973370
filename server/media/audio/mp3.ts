import { AUDIO_DURATION_MS_MAX } from '../../../contract/sounds/audio-files.ts';
import { UnusableAudioError, requireFrames, toFacts } from './facts.ts';
import type { AudioPiece, AudioPlan } from './facts.ts';
import {
  FRAME_BYTES_MAX,
  correctInfoTag,
  hasInfoTag,
  isSameKind,
  isSync,
  readFrame,
  readPadding,
} from './mp3-frames.ts';
import type { Mp3Frame } from './mp3-frames.ts';
import { readBytes } from './source.ts';
import type { ByteSource } from './source.ts';

const WINDOW_BYTES = 256 * 1024;
/** This many consecutive frames are not a coincidence. */
const FRAMES_TO_BELIEVE = 3;
const LOOKAHEAD_BYTES = FRAMES_TO_BELIEVE * FRAME_BYTES_MAX + 8;
/** Maximum bytes before the first frame, not counting tags. Browsers and FFmpeg search this far. */
const START_BYTES_MAX = 1024 * 1024;
/** Maximum bytes between two frames, not counting tags: more than a large picture in a tag of a wrong size. */
const GAP_BYTES_MAX = 4 * 1024 * 1024;
/** Maximum bytes of both kinds together, in addition to as many bytes as the frames have. */
const JUNK_BYTES_MAX = 1024 * 1024;
/** Positions that look like the start of a frame and are none. 4 MiB of random data have about 500. */
const FALSE_STARTS_MAX = 100_000;
/** Maximum bytes after the last frame, not counting tags. A file with more is another format that contains a sound. */
const TAIL_BYTES_MAX = 1024 * 1024;
/**
 * Longer gaps between frames are reported. Shorter ones lose 26 ms at most; cutters, stream recorders and encoders that
 * miscount their padding produce them.
 */
const GAP_BYTES_MIN = FRAME_BYTES_MAX;
/** Maximum number of gaps in one file. */
const PIECES_MAX = 1_000;
/** Tags between joined sounds; each is read. */
const TAGS_MAX = 100;
/** After the last frame: tags of these kinds. */
const TAIL = /^(?:TAG|APETAGEX|LYRICSBEGIN|ID3)/;
const TAIL_MARK_BYTES = 11;

interface Found {
  readonly start: number;
  readonly frame: Mp3Frame;
}

/**
 * Reads an MP3 frame by frame: its length is counted, not taken from headers, and everything except frames (ID3, APE
 * and Lyrics3 tags, pictures, other files) is dropped. Rejects sounds that are too long. Throws `UnusableAudioError`.
 */
export async function planMp3(source: ByteSource): Promise<AudioPlan> {
  const frames = await walkFrames(source);
  const { first, kind, ranges, gapsMs, count, bytes } = frames;
  const head = await readBytes(source, first, kind.length);
  const isNoted = hasInfoTag(head, kind);
  const sounding = isNoted ? count - 1 : count;
  requireFrames(sounding);
  const samples = sounding * kind.samples;
  const padding = isNoted ? readPadding(head, kind) : 0;
  return {
    facts: toFacts('audio/mpeg', {
      seconds: samples / kind.sampleRateHz,
      audibleSeconds: (padding < samples ? samples - padding : samples) / kind.sampleRateHz,
      bytes: isNoted ? bytes - kind.length : bytes,
      sampleRateHz: kind.sampleRateHz,
    }),
    gapsMs,
    pieces: isNoted ? withHead(ranges, correctInfoTag(head, kind, { frames: sounding, bytes })) : ranges,
  };
}

type Range = Exclude<AudioPiece, Uint8Array>;

function withHead([first, ...others]: readonly Range[], head: Buffer): AudioPiece[] {
  if (first === undefined) return [head];
  return [head, { start: first.start + head.byteLength, end: first.end }, ...others];
}

async function walkFrames(source: ByteSource) {
  const window = createWindow(source);
  const ranges: { start: number; end: number }[] = [];
  const gapsMs: number[] = [];
  let kind: Mp3Frame | undefined;
  let position = 0;
  let count = 0;
  let bytes = 0;
  let junk = 0;
  let tags = 0;
  let isBehindTag = false;
  for (;;) {
    await window.ensure(position);
    if (window.isId3(position)) {
      if ((tags += 1) > TAGS_MAX) throw new UnusableAudioError('too many tags');
      position = window.id3End(position);
      isBehindTag = true;
      continue;
    }
    const next = window.frameAt(position);
    const isInSync = next !== undefined && kind !== undefined && isSameKind(next, kind);
    const found = isInSync
      ? { start: position, frame: next }
      : await findRun(window, position, kind, kind === undefined ? START_BYTES_MAX : GAP_BYTES_MAX);
    if (found === undefined || found.start + found.frame.length > source.size) break;
    const { start, frame } = found;
    const isGap = kind !== undefined && !isBehindTag && start - position > GAP_BYTES_MIN;
    if (isGap && !(await isSeam(source, position, found))) {
      gapsMs.push(Math.round((count * frame.samples * 1000) / frame.sampleRateHz));
    }
    isBehindTag = false;
    junk += start - position;
    kind ??= frame;
    count += 1;
    bytes += frame.length;
    position = start + frame.length;
    const last = ranges.at(-1);
    if (last?.end === start) last.end = position;
    else ranges.push({ start, end: position });
    if (ranges.length > PIECES_MAX)
      throw new UnusableAudioError('the frames are in too many separate ranges');
    if ((count * frame.samples * 1000) / frame.sampleRateHz > AUDIO_DURATION_MS_MAX + 1_000) return finish();
  }
  await window.ensure(position);
  if (source.size - position > TAIL_BYTES_MAX && !window.isEnd(position)) {
    throw new UnusableAudioError('something else follows');
  }
  // A truncated sound is not what the uploader intended.
  if ((await findRun(window, position, undefined, TAIL_BYTES_MAX)) !== undefined)
    throw new UnusableAudioError('the sound goes on behind a gap, or in another kind');
  return finish();

  function finish() {
    const first = ranges[0]?.start;
    if (kind === undefined || first === undefined) throw new UnusableAudioError('no frames of MP3');
    if (junk > JUNK_BYTES_MAX + bytes) throw new UnusableAudioError('most of it is something else');
    return { first, kind, ranges, gapsMs, count, bytes };
  }
}

/** Whether complete sounds were joined at a gap: it starts with a tag, or is followed by an encoder's info tag. */
async function isSeam(source: ByteSource, from: number, { start, frame }: Found): Promise<boolean> {
  if (TAIL.test((await readBytes(source, from, TAIL_MARK_BYTES)).toString('latin1'))) return true;
  return hasInfoTag(await readBytes(source, start, frame.length), frame);
}

/**
 * The next consecutive frames, like `kind` if that is known; undefined if there are none within `bytesMax`. Throws
 * `UnusableAudioError` if too much of the file only looks like frames.
 */
async function findRun(
  window: Window,
  from: number,
  kind: Mp3Frame | undefined,
  bytesMax: number,
): Promise<Found | undefined> {
  let start: number | undefined = from;
  while (start !== undefined && start <= from + bytesMax) {
    await window.ensure(start);
    const frame = window.frameAt(start);
    const isLike = frame !== undefined && (kind === undefined || isSameKind(frame, kind));
    if (isLike && isRun(window, start, frame)) return { start, frame };
    window.countFalseStart();
    start = window.findSync(start + 1);
  }
  return undefined;
}

/** Whether frames of one kind follow each other, or end exactly at the end of the sound. */
function isRun(window: Window, start: number, frame: Mp3Frame): boolean {
  let at = start + frame.length;
  for (let seen = 1; seen < FRAMES_TO_BELIEVE; seen += 1) {
    if (window.isEnd(at)) return true;
    const next = window.frameAt(at);
    if (next === undefined || !isSameKind(next, frame)) return false;
    at += next.length;
  }
  return true;
}

type Window = ReturnType<typeof createWindow>;

/** One buffer that moves along the file. */
function createWindow(source: ByteSource) {
  const buffer = Buffer.alloc(Math.min(WINDOW_BYTES, source.size));
  let base = 0;
  let end = 0;
  let falseStarts = 0;
  const bytes = () => buffer.subarray(0, end - base);
  return {
    /** Reads enough data to evaluate what starts at `position`. */
    async ensure(position: number): Promise<void> {
      if (position >= base && (position + LOOKAHEAD_BYTES <= end || (end === source.size && position <= end)))
        return;
      base = position;
      end = base + (await source.readInto(buffer, base));
    },
    frameAt: (position: number) => readFrame(bytes(), position - base),
    countFalseStart(): void {
      falseStarts += 1;
      if (falseStarts > FALSE_STARTS_MAX) throw new UnusableAudioError('too much looks like a frame');
    },
    /** Where the next frame could start, or the buffered data ends; undefined at the end of the file. */
    findSync(position: number): number | undefined {
      if (position >= source.size) return undefined;
      for (let at = position - base; at < end - base - 1; at += 1) {
        at = buffer.indexOf(0xff, at);
        if (at === -1 || at >= end - base - 1) break;
        // Long rows of the same byte are common.
        while (buffer[at + 1] === 0xff && at < end - base - 2) at += 1;
        if (isSync(buffer[at], buffer[at + 1])) return base + at;
      }
      return end < source.size ? Math.max(position, end - 1) : undefined;
    },
    isId3: (position: number) => bytes().toString('latin1', position - base, position - base + 3) === 'ID3',
    /** Where a tag ends. Its size is only skipped, never used to allocate memory. */
    id3End(position: number): number {
      const head = bytes().subarray(position - base, position - base + 10);
      return head.byteLength < 10 ? source.size : Math.min(source.size, position + readId3Size(head));
    },
    isEnd: (position: number) =>
      position === source.size ||
      TAIL.test(bytes().toString('latin1', position - base, position - base + TAIL_MARK_BYTES)),
  };
}

/** The size of the whole tag, in bytes (ID3v2.4 §3.1). */
export function readId3Size(head: Buffer): number {
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 0x7f), 0);
  return 10 + size + ((head[5] ?? 0) & 0x10 ? 10 : 0);
}
