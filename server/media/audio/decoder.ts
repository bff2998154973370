import { AUDIO_DURATION_MS_MAX } from '../../../contract/sounds/audio-files.ts';
import { encodePeaks } from '../../../contract/sounds/peaks.ts';
import type { SoundFindings } from '../../../contract/sounds/sound-findings.ts';
import { createSemaphore } from '../../platform/concurrency/semaphore.ts';
import type { AudioFile } from './source.ts';
import { createChild } from '../child-process.ts';
import type { SoundAnalysis } from '../analysis/sound-analysis.ts';
import type { SoundFeatures } from '../analysis/sound-features.ts';

/** A process answers each request once; `analysis` is null when the sound could not be decoded. */
export interface DecoderRequest {
  readonly file: AudioFile;
}
export interface DecoderReply {
  readonly analysis: SoundAnalysis | null;
}

/** For the start, plus a tenth of the sound's duration: thirty times the need of our own machines. */
const TIME_LIMIT_MS = 60_000;
const TIME_LIMIT_SHARE = 0.1;
const IDLE_MS = 30_000;

/** The result of decoding a sound. */
export type DecodedSound =
  | {
      readonly state: 'decoded';
      /** In the format of `encodePeaks`. */
      readonly peaks: string;
      readonly findings: SoundFindings;
      readonly features: SoundFeatures | null;
    }
  /** The sound cannot be decoded; a retry does not help. */
  | { readonly state: 'unreadable' }
  /** The decoder crashed or timed out, possibly for lack of memory or time. */
  | { readonly state: 'interrupted' }
  /** It was stopped or could not be started: this is independent of the sound. */
  | { readonly state: 'stopped' };

/** Decodes a sound file of `durationMs`; without it, the maximum duration is assumed. Never throws. */
export type Decode = (file: AudioFile, durationMs?: number, stop?: AbortSignal) => Promise<DecodedSound>;

export interface Decoder {
  /**
   * Calls `work` in the turn of `key`, a member: members are served in turn, and nobody else decodes until it ends.
   * Throws what `work` throws.
   */
  inTurn<Result>(work: (decode: Decode) => Promise<Result>, key?: string): Promise<Result>;
  /** Decodes in its turn. */
  readonly decode: Decode;
}

/**
 * Decodes one sound at a time in a process (`createChild`): a long sound delays no request. A killed server says nothing
 * about the sound it was decoding.
 */
export function createDecoder({ timeLimitMs = TIME_LIMIT_MS, idleMs = IDLE_MS } = {}): Decoder {
  const turns = createSemaphore(1, Infinity);
  const child = createChild<DecoderRequest, DecoderReply>({
    module: new URL('./decoder-process.ts', import.meta.url),
    idleMs,
  });

  async function decodeNow(
    file: AudioFile,
    durationMs = AUDIO_DURATION_MS_MAX,
    stop?: AbortSignal,
  ): Promise<DecodedSound> {
    const limits = { timeLimitMs: timeLimitMs + durationMs * TIME_LIMIT_SHARE, stop };
    const answer = await child.send({ file }, limits);
    if (answer.state === 'answered') return toDecodedSound(answer.reply);
    return { state: answer.state === 'ended' ? 'interrupted' : 'stopped' };
  }

  const inTurn: Decoder['inTurn'] = (work, key) => turns.run(() => work(decodeNow), key);
  return { inTurn, decode: (...sound) => inTurn((decode) => decode(...sound)) };
}

function toDecodedSound({ analysis }: DecoderReply): DecodedSound {
  if (analysis === null) return { state: 'unreadable' };
  const { peaks, findings, features } = analysis;
  return { state: 'decoded', peaks: encodePeaks(peaks), findings, features };
}
