/** What a sound file is, read from its content; names and claimed types are never believed. */
export interface AudioFacts {
  readonly mime: 'audio/mpeg' | 'audio/mp4';
  readonly durationMs: number;
  readonly bitRateKbps: number;
  readonly sampleRateHz: number;
}

/** Bytes of our own making, or a range of the file they are for; `end` no longer belongs to it. */
export type AudioPiece = Uint8Array | { readonly start: number; readonly end: number };

/** A sound file as it is kept: what plays, and nothing of what else came with it. */
export interface AudioPlan {
  readonly facts: AudioFacts;
  readonly pieces: readonly AudioPiece[];
  /** Where passages that could not be read were left out, in ms of what is kept; in order. */
  readonly gapsMs: readonly number[];
}

/** Neither MP3 nor AAC in M4A, or too broken to play; the message is for logs, not for people. */
export class UnusableAudioError extends Error {
  override readonly name = 'UnusableAudioError';
}

/** A format that is known, and is none of ours. */
export class UnsupportedAudioError extends UnusableAudioError {
  /** What people call it. */
  readonly format: string;

  constructor(format: string) {
    super(`not supported: ${format}`);
    this.format = format;
  }
}

/** `seconds` of frames, of which the encoder's padding at the ends is not heard. */
export function toFacts(
  mime: AudioFacts['mime'],
  {
    seconds,
    heardSeconds,
    bytes,
    sampleRateHz,
  }: { seconds: number; heardSeconds: number; bytes: number; sampleRateHz: number },
): AudioFacts {
  return {
    mime,
    durationMs: Math.max(1, Math.round(heardSeconds * 1000)),
    bitRateKbps: Math.round((bytes * 8) / seconds / 1000),
    sampleRateHz,
  };
}
