import { createHash } from 'node:crypto';
import { FORMAT_HEAD_BYTES, findOtherFormat } from '../../../contract/sounds/audio-formats.ts';
import { TooShortAudioError, UnsupportedAudioError, UnusableAudioError } from './facts.ts';
import type { AudioFacts, AudioPiece, AudioPlan } from './facts.ts';
import { planM4a } from './m4a.ts';
import { planMp3 } from './mp3.ts';
import { readBytes, withByteSource } from './source.ts';
import type { AudioFile, ByteSource } from './source.ts';
import { createSemaphore } from '../../platform/concurrency/semaphore.ts';

export { TooShortAudioError, UnsupportedAudioError, UnusableAudioError };
export type { AudioFacts, AudioFile };

const PIECE_BYTES = 64 * 1024;

/** Files are read in chunks, which takes little memory but much processor time. Members are served in turn. */
export const audioSemaphore = createSemaphore(2, 50);

/** Throws `UnusableAudioError` for anything but MP3 and AAC in M4A (spec §5). A file is read in chunks. */
export async function probeAudio(file: AudioFile): Promise<AudioFacts> {
  return withByteSource(file, async (source) => (await planAudio(source)).facts);
}

/** A sound without tags, pictures and other data of its file. */
export interface CleanAudio {
  readonly facts: AudioFacts;
  /** See `AudioPlan`. */
  readonly gapsMs: readonly number[];
  readonly sizeBytes: number;
  /** SHA-256 of the clean bytes, hexadecimal; equal for copies that differ in their tags. */
  readonly hash: string;
  /** Streams the clean bytes; can be called repeatedly. */
  bytes(): AsyncIterable<Uint8Array>;
}

/**
 * Reads a sound and passes its cleaned form to `use`. `owner`: the member whose turn it takes. Throws
 * `UnusableAudioError`, and `Busy` when the queue is full.
 */
export async function withCleanAudio<Result>(
  file: AudioFile,
  use: (audio: CleanAudio) => Promise<Result>,
  owner = '',
): Promise<Result> {
  return withByteSource(file, async (source) =>
    use(await audioSemaphore.run(() => cleanAudio(source), owner)),
  );
}

/** Only the clean bytes, for a file whose facts are already stored: nothing is hashed. Throws like `withCleanAudio`. */
export async function withCleanBytes<Result>(
  file: AudioFile,
  use: (bytes: AsyncIterable<Uint8Array>) => Promise<Result>,
  owner = '',
): Promise<Result> {
  return withByteSource(file, async (source) => {
    const plan = await audioSemaphore.run(() => planAudio(source), owner);
    return use(readPlan(source, plan, Buffer.allocUnsafe));
  });
}

async function cleanAudio(source: ByteSource): Promise<CleanAudio> {
  const plan = await planAudio(source);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  // Hashed data is not retained, so one buffer is reused.
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
  // Tried first: some programs wrap an MP3 in a WAV file.
  return planMp3(source).catch((error: unknown) => {
    const other = error instanceof UnusableAudioError ? findOtherFormat(head) : undefined;
    throw other === undefined ? error : new UnsupportedAudioError(other);
  });
}

/** Combines small pieces into large chunks. */
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
