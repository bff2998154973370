import { createHash } from 'node:crypto';
import { FORMAT_HEAD_BYTES, findOtherFormat } from '../../contract/audio-formats.ts';
import { UnsupportedAudioError, UnusableAudioError } from './audio-facts.ts';
import type { AudioFacts, AudioPiece, AudioPlan } from './audio-facts.ts';
import { planM4a } from './audio-m4a.ts';
import { planMp3 } from './audio-mp3.ts';
import { readBytes, withByteSource } from './audio-source.ts';
import type { AudioFile, ByteSource } from './audio-source.ts';
import { createTurns } from '../platform/concurrency/concurrency.ts';

export { UnsupportedAudioError, UnusableAudioError };
export type { AudioFacts, AudioFile };

const PIECE_BYTES = 64 * 1024;

/** Files are read piece by piece, which takes little memory, but a processor for a while. */
export const audioTurns = createTurns(2, 50);

/** Throws `UnusableAudioError` for anything but MP3 and AAC in M4A (spec §5). A file is read piece by piece. */
export async function probeAudio(file: AudioFile): Promise<AudioFacts> {
  return withByteSource(file, async (source) => (await planAudio(source)).facts);
}

/** A sound without what came along with it: tags, pictures, whatever could run. */
export interface CleanAudio {
  readonly facts: AudioFacts;
  /** As `AudioPlan` says. */
  readonly gapsMs: readonly number[];
  readonly sizeBytes: number;
  /** SHA-256 of the clean bytes, hexadecimal: the same for copies that differ in their tags. */
  readonly hash: string;
  /** The clean bytes, as often as they are needed, never all of them at once. */
  bytes(): AsyncIterable<Uint8Array>;
}

/**
 * Reads a sound, and lends it to `use` cleaned. Throws `UnusableAudioError`, and `Busy` when too many wait
 * for their turn.
 */
export async function withCleanAudio<Result>(
  file: AudioFile,
  use: (audio: CleanAudio) => Promise<Result>,
): Promise<Result> {
  return withByteSource(file, async (source) => use(await audioTurns.take(() => cleanAudio(source))));
}

/** The clean bytes alone, of a file whose facts are known by now: nothing is hashed. Throws as `withCleanAudio`. */
export async function withCleanBytes<Result>(
  file: AudioFile,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  return withByteSource(file, async (source) => {
    const plan = await audioTurns.take(() => planAudio(source));
    return use(readPlan(source, plan, Buffer.allocUnsafe));
  });
}

async function cleanAudio(source: ByteSource): Promise<CleanAudio> {
  const plan = await planAudio(source);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  // Nobody keeps what is hashed, so that it all goes through the same memory.
  const target = Buffer.alloc(PIECE_BYTES);
  for await (const bytes of readPlan(source, plan, (length) => target.subarray(0, length))) {
    hash.update(bytes);
    sizeBytes += bytes.byteLength;
  }
  const bytes = () => readPlan(source, plan, Buffer.allocUnsafe);
  return { facts: plan.facts, gapsMs: plan.gapsMs, sizeBytes, hash: hash.digest('hex'), bytes };
}

async function planAudio(source: ByteSource): Promise<AudioPlan> {
  const head = await readBytes(source, 0, FORMAT_HEAD_BYTES);
  if (head.toString('latin1', 4, 8) === 'ftyp') return planM4a(source);
  // Tried first: some programs wrap an MP3 into a WAV.
  return planMp3(source).catch((error: unknown) => {
    const other = error instanceof UnusableAudioError ? findOtherFormat(head) : undefined;
    throw other === undefined ? error : new UnsupportedAudioError(other);
  });
}

/** However small its pieces are, what comes out is large. */
async function* readPlan(
  source: ByteSource,
  { pieces }: AudioPlan,
  makeTarget: (length: number) => Buffer,
): AsyncGenerator<Uint8Array> {
  let left = pieces.reduce((sum, piece) => sum + toLength(piece), 0);
  let target = makeTarget(Math.min(PIECE_BYTES, left));
  let filled = 0;
  for (const piece of pieces) {
    const length = toLength(piece);
    for (let at = 0; at < length;) {
      const part = target.subarray(filled, filled + length - at);
      await readPiece(source, piece, at, part);
      at += part.byteLength;
      filled += part.byteLength;
      if (filled < target.byteLength) continue;
      yield target;
      left -= filled;
      target = makeTarget(Math.min(PIECE_BYTES, left));
      filled = 0;
    }
  }
}

function toLength(piece: AudioPiece): number {
  return piece instanceof Uint8Array ? piece.byteLength : piece.end - piece.start;
}

async function readPiece(source: ByteSource, piece: AudioPiece, at: number, part: Buffer): Promise<void> {
  if (piece instanceof Uint8Array) part.set(piece.subarray(at, at + part.byteLength));
  else if ((await source.readInto(part, piece.start + at)) < part.byteLength) {
    throw new UnusableAudioError('the file has become shorter');
  }
}
