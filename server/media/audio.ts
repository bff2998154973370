import { createHash } from 'node:crypto';
import { UnusableAudioError } from './audio-facts.ts';
import type { AudioFacts, AudioPlan } from './audio-facts.ts';
import { planM4a } from './audio-m4a.ts';
import { planMp3 } from './audio-mp3.ts';
import { readBytes, withByteSource } from './audio-source.ts';
import type { AudioFile, ByteSource } from './audio-source.ts';

export { UnusableAudioError };
export type { AudioFacts, AudioFile };

const PIECE_BYTES = 64 * 1024;

/** Throws `UnusableAudioError` for anything but MP3 and AAC in M4A (spec §5). A file is read piece by piece. */
export async function probeAudio(file: AudioFile): Promise<AudioFacts> {
  return withByteSource(file, async (source) => (await planAudio(source)).facts);
}

/** A sound without what came along with it: tags, pictures, whatever could run. */
export interface CleanAudio {
  readonly facts: AudioFacts;
  readonly sizeBytes: number;
  /** SHA-256 of the clean bytes, hexadecimal: the same for copies that differ in their tags. */
  readonly hash: string;
  /** The clean bytes, as often as they are needed, never all of them at once. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** Reads a sound, and lends it to `use` cleaned. Throws `UnusableAudioError`. */
export async function withCleanAudio<Result>(
  file: AudioFile,
  use: (audio: CleanAudio) => Promise<Result>,
): Promise<Result> {
  return withByteSource(file, async (source) => {
    const plan = await planAudio(source);
    const hash = createHash('sha256');
    let sizeBytes = 0;
    // Nobody keeps what is hashed, so that it all goes through the same memory.
    const target = Buffer.alloc(PIECE_BYTES);
    for await (const bytes of readPlan(source, plan, () => target)) {
      hash.update(bytes);
      sizeBytes += bytes.byteLength;
    }
    const bytes = () => readPlan(source, plan, () => Buffer.alloc(PIECE_BYTES));
    return use({ facts: plan.facts, sizeBytes, hash: hash.digest('hex'), bytes });
  });
}

async function planAudio(source: ByteSource): Promise<AudioPlan> {
  const head = await readBytes(source, 0, 8);
  return head.toString('latin1', 4, 8) === 'ftyp' ? planM4a(source) : planMp3(source);
}

async function* readPlan(
  source: ByteSource,
  { pieces }: AudioPlan,
  makeTarget: () => Buffer,
): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Uint8Array) {
      yield piece;
      continue;
    }
    for (let at = piece.start; at < piece.end; at += PIECE_BYTES) {
      const part = makeTarget().subarray(0, Math.min(PIECE_BYTES, piece.end - at));
      if ((await source.readInto(part, at)) < part.byteLength) {
        throw new UnusableAudioError('the file has become shorter');
      }
      yield part;
    }
  }
}
