import { createDecoder } from '../../media/audio/decoder.ts';
import type { DecodedSound, Decoder } from '../../media/audio/decoder.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { TemporaryFile } from '../../platform/storage/temporary-files.ts';

type StoredSoundDeps = Pick<Platform, 'storage' | 'temporaryFiles'>;

export interface DecoderOptions {
  readonly decoder?: Pick<Decoder, 'inTurn'>;
  /** The member whose turn it takes; '' by default: this process. */
  readonly owner?: string;
  /** Aborted when the process is about to end; the sound is then left for the next process. */
  readonly ending?: AbortSignal | undefined;
}

/** Any stored sound, by its storage key. */
export interface StoredSound {
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
}

/** 8 kbit/s, the lowest rate of an MP3. */
const BYTES_PER_SECOND_MIN = 1_000;

/** Throws `MissingObjectError`, and when the storage fails. */
type DecodeStored = (sound: StoredSound) => Promise<DecodedSound>;

/** One for the process: decoding an hour of sound occupies a core for a while, and no call waits for it. */
const ownDecoder = createDecoder();

/** Calls `work` after those before it, with the decoder of this process. Throws what `work` throws. */
export function decodeInTurn<Result>(
  deps: StoredSoundDeps,
  { decoder = ownDecoder, owner, ending }: DecoderOptions,
  work: (decodeStored: DecodeStored) => Promise<Result>,
): Promise<Result> {
  return decoder.inTurn(
    (decode) =>
      work(async ({ objectKey, sizeBytes, durationMs }) => {
        const file = await deps.temporaryFiles.make(false, sizeBytes);
        try {
          if (!(await copyStored(deps, objectKey, file, ending))) return { state: 'stopped' };
          // A small file that claims an hour gets no more time than its bytes need.
          const longestMs = (sizeBytes / BYTES_PER_SECOND_MIN) * 1000;
          return await decode({ path: file.path }, Math.min(durationMs, longestMs), ending);
        } finally {
          await file.remove();
        }
      }),
    owner,
  );
}

/** Decodes a stored sound in its turn. Throws `MissingObjectError`, and when the storage fails. */
export function decodeStored(
  deps: StoredSoundDeps,
  sound: StoredSound,
  options: DecoderOptions = {},
): Promise<DecodedSound> {
  return decodeInTurn(deps, options, (decode) => decode(sound));
}

/**
 * Copies the sound to a file for the decoder, from any storage, without holding it all in memory. Returns whether the
 * copy is complete; it is not if the process is about to end.
 */
async function copyStored(
  { storage }: StoredSoundDeps,
  objectKey: string,
  file: TemporaryFile,
  ending: AbortSignal | undefined,
): Promise<boolean> {
  for await (const chunk of (await storage.open(objectKey)) as AsyncIterable<Uint8Array>) {
    if (ending?.aborted) return false;
    await file.append(chunk);
  }
  await file.close();
  return !ending?.aborted;
}
