import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AUDIO_DURATION_MS_MAX } from '../../contract/audio-files.ts';
import { encodePeaks } from '../../contract/peaks.ts';
import type { SoundFindings } from '../../contract/sound-findings.ts';
import { createSemaphore } from '../platform/concurrency/concurrency.ts';
import type { AudioFile } from './audio-source.ts';
import type { SoundAnalysis } from './sound-analysis.ts';
import type { SoundFeatures } from './sound-features.ts';

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
/** A process that has nothing to decode would keep about 100 MB. */
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
 * Decodes one sound at a time in a process, which is started on first use and ends after `idleMs` without work: a long
 * sound delays no request, and a sound that crashes its decoder does not end the server. A killed server therefore says
 * nothing about the sound it was decoding.
 */
export function createDecoder({ timeLimitMs = TIME_LIMIT_MS, idleMs = IDLE_MS } = {}): Decoder {
  const turns = createSemaphore(1, Infinity);
  let current: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const child = startProcess();
    // Applies to idle processes as well: the kernel kills decoders first when memory runs out.
    child.once('exit', () => forget(child));
    return child;
  }

  /** The next sound starts another one. */
  function forget(child: ChildProcess): void {
    if (current === child) current = undefined;
  }

  function end(child: ChildProcess): void {
    forget(child);
    child.kill('SIGKILL');
  }

  async function decodeNow(
    file: AudioFile,
    durationMs = AUDIO_DURATION_MS_MAX,
    stop?: AbortSignal,
  ): Promise<DecodedSound> {
    if (stop?.aborted) return { state: 'stopped' };
    clearTimeout(idle);
    const child = (current ??= start());
    const onStop = () => end(child);
    const timer = setTimeout(onStop, timeLimitMs + durationMs * TIME_LIMIT_SHARE);
    stop?.addEventListener('abort', onStop);
    try {
      const reply = await ask(child, { file });
      if (reply !== undefined) return toDecodedSound(reply);
      // Not of a process that could not be started.
      forget(child);
      return { state: stop?.aborted || child.pid === undefined ? 'stopped' : 'interrupted' };
    } finally {
      clearTimeout(timer);
      stop?.removeEventListener('abort', onStop);
      idle = setTimeout(() => end(child), idleMs);
      idle.unref();
    }
  }

  const inTurn: Decoder['inTurn'] = (work, key) => turns.run(() => work(decodeNow), key);
  return { inTurn, decode: (...sound) => inTurn((decode) => decode(...sound)) };
}

/** It ends when it crashes, and with its parent. It has no access to secret settings. */
function startProcess(): ChildProcess {
  const child = fork(fileURLToPath(new URL('./decoder-process.ts', import.meta.url)), {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => undefined);
  return child;
}

/** Undefined when the process ends before it answers. It keeps the server alive until then, and not while it is idle. */
async function ask(child: ChildProcess, request: DecoderRequest): Promise<DecoderReply | undefined> {
  const { promise, resolve } = Promise.withResolvers<DecoderReply | undefined>();
  const onExit = () => resolve(undefined);
  // An 'exit' event follows if the process had started.
  const onError = () => {
    if (child.pid === undefined) resolve(undefined);
  };
  child.on('message', resolve).on('exit', onExit).on('error', onError);
  child.ref();
  child.channel?.ref();
  child.send(request, () => undefined);
  try {
    return await promise;
  } finally {
    child.off('message', resolve).off('exit', onExit).off('error', onError);
    child.unref();
    child.channel?.unref();
  }
}

function toDecodedSound({ analysis }: DecoderReply): DecodedSound {
  if (analysis === null) return { state: 'unreadable' };
  const { peaks, findings, features } = analysis;
  return { state: 'decoded', peaks: encodePeaks(peaks), findings, features };
}
