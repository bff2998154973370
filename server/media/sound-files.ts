import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { FLAT_PEAKS } from '../../contract/peaks.ts';
import type { SoundFindings } from '../../contract/sound-findings.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { UnusableAudioError, probeAudio } from './audio.ts';
import { toSoundKey } from './object-keys.ts';
import { createPeaksPool } from './peaks.ts';
import type { PeaksPool } from './peaks.ts';

export { toSoundKey };

/** Limits the memory of one upload; about two hours at 256 kbit/s. */
export const SOUND_BYTES_MAX = 200 * 1024 * 1024;

/** The properties of a file in the sounds table, with the names of its columns. */
export interface StoredSoundFile {
  /** SHA-256 of the content, hexadecimal; the object is `sounds/{audio_key}`. */
  readonly audio_key: string;
  readonly audio_mime: 'audio/mpeg' | 'audio/mp4';
  /** Bytes. */
  readonly audio_size: number;
  readonly duration_ms: number;
  /** kbit/s. */
  readonly bit_rate: number;
  /** Hz. */
  readonly sample_rate: number;
  readonly peaks: string;
}

export interface MeasuredSoundFile {
  readonly file: StoredSoundFile;
  /** Measurements made while the waveform was read; absent if the waveform was given or could not be read. */
  readonly findings: SoundFindings | undefined;
}

export interface StoreSoundFileOptions {
  /** A known waveform; the sound is then not decoded. */
  readonly peaks?: string;
  readonly pool?: PeaksPool;
}

let sharedPool: PeaksPool | undefined;

/**
 * Checks a sound file by its content, stores it and returns its properties. Throws `UnusableAudioError`; an unreadable
 * waveform is not an error.
 */
export async function storeSoundFile(
  storage: Storage,
  file: Uint8Array | { path: string },
  { peaks, pool }: StoreSoundFileOptions = {},
): Promise<MeasuredSoundFile> {
  const bytes = file instanceof Uint8Array ? file : await readSoundFile(file.path);
  const facts = await probeAudio(bytes);
  const key = createHash('sha256').update(bytes).digest('hex');
  const decode = () => (pool ?? (sharedPool ??= createPeaksPool())).readSound(bytes, facts.durationMs);
  const [reading] = await Promise.all([
    peaks === undefined ? decode() : undefined,
    storage
      .has(toSoundKey(key))
      .then((isThere) => (isThere ? undefined : storage.put(toSoundKey(key), bytes))),
  ]);
  const read = reading?.state === 'read' ? reading : undefined;
  return {
    file: {
      audio_key: key,
      audio_mime: facts.mime,
      audio_size: bytes.byteLength,
      duration_ms: facts.durationMs,
      bit_rate: facts.bitRateKbps,
      sample_rate: facts.sampleRateHz,
      peaks: peaks ?? read?.peaks ?? FLAT_PEAKS,
    },
    findings: read?.findings,
  };
}

async function readSoundFile(path: string): Promise<Uint8Array> {
  const { size } = await stat(path);
  if (size > SOUND_BYTES_MAX)
    throw new UnusableAudioError(`the file has ${size} bytes, ${SOUND_BYTES_MAX} are allowed`);
  return readFile(path);
}
