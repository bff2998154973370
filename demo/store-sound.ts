import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { FLAT_PEAKS } from '../contract/sounds/peaks.ts';
import type { SoundFindings } from '../contract/sounds/sound-findings.ts';
import { probeAudio } from '../server/media/audio/audio.ts';
import type { AudioFile } from '../server/media/audio/source.ts';
import { createDecoder } from '../server/media/audio/decoder.ts';
import type { DecodedSound } from '../server/media/audio/decoder.ts';
import { toSoundKey } from '../server/media/object-keys.ts';
import type { Storage } from '../server/platform/storage/port.ts';

/** The properties of a file in the sounds table, with the names of its columns. */
interface StoredSoundFile {
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
  /** Absent if the sound could not be decoded. */
  readonly findings: SoundFindings | undefined;
}

const decoders = Array.from({ length: Math.min(2, availableParallelism()) }, () => createDecoder());
let asked = 0;

/** Decodes two sounds at a time, if there are processors for it. Never throws. */
export async function decodeSound(file: AudioFile, durationMs?: number): Promise<DecodedSound> {
  asked += 1;
  const decoder = decoders[asked % decoders.length];
  return (await decoder?.decode(file, durationMs)) ?? { state: 'stopped' };
}

/**
 * Checks a sound file by its content, stores it and returns its properties. Throws `UnusableAudioError`; a sound that
 * cannot be decoded is not an error.
 */
export async function storeSoundFile(storage: Storage, bytes: Uint8Array): Promise<MeasuredSoundFile> {
  const facts = await probeAudio(bytes);
  const key = createHash('sha256').update(bytes).digest('hex');
  const store = async () => {
    if (!(await storage.has(toSoundKey(key)))) await storage.put(toSoundKey(key), bytes);
  };
  const [result] = await Promise.all([decodeSound(bytes, facts.durationMs), store()]);
  const decoded = result.state === 'decoded' ? result : undefined;
  return {
    file: {
      audio_key: key,
      audio_mime: facts.mime,
      audio_size: bytes.byteLength,
      duration_ms: facts.durationMs,
      bit_rate: facts.bitRateKbps,
      sample_rate: facts.sampleRateHz,
      peaks: decoded?.peaks ?? FLAT_PEAKS,
    },
    findings: decoded?.findings,
  };
}
