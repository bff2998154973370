import { parseBuffer } from 'music-metadata';

/** What a sound file is, read from its content; names and claimed types are never believed. */
export interface AudioFacts {
  readonly mime: 'audio/mpeg' | 'audio/mp4';
  readonly durationMs: number;
  readonly bitRateKbps: number;
  readonly sampleRateHz: number;
}

/** Neither MP3 nor AAC in M4A, or too broken to play. */
export class UnusableAudioError extends Error {
  override readonly name = 'UnusableAudioError';
}

/** Throws `UnusableAudioError` for anything but MP3 and AAC in M4A (spec §5). */
export async function probeAudio(bytes: Uint8Array): Promise<AudioFacts> {
  const { format } = await parseBuffer(bytes, undefined, { duration: true, skipCovers: true }).catch(
    (error: unknown) => {
      throw new UnusableAudioError('not a sound file', { cause: error });
    },
  );
  const mime = toMime(format.container ?? '', format.codec ?? '');
  if (mime === undefined || format.hasVideo === true) {
    throw new UnusableAudioError(
      `${format.container ?? 'unknown container'}, ${format.codec ?? 'unknown codec'}`,
    );
  }
  const { duration, sampleRate } = format;
  if (!duration || !Number.isFinite(duration) || !sampleRate)
    throw new UnusableAudioError('no playable frames');
  return {
    mime,
    durationMs: Math.max(1, Math.round(duration * 1000)),
    bitRateKbps: Math.round((format.bitrate ?? (bytes.byteLength * 8) / duration) / 1000),
    sampleRateHz: sampleRate,
  };
}

function toMime(container: string, codec: string): AudioFacts['mime'] | undefined {
  if (container === 'MPEG' && /layer 3$/i.test(codec)) return 'audio/mpeg';
  // The container is the list of brands of an ISO file: `M4A/isom/mp42` and such.
  if (/\b(?:M4A|isom|mp42)\b/.test(container) && /AAC/.test(codec)) return 'audio/mp4';
  return undefined;
}
