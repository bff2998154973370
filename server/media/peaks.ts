import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { AUDIO_DURATION_MS_MAX } from '../../contract/audio-files.ts';
import { FLAT_PEAKS, encodePeaks } from '../../contract/peaks.ts';
import type { SoundFindings } from '../../contract/sound-findings.ts';
import type { AudioFile } from './audio-source.ts';
import type { SoundAnalysis } from './sound-analysis.ts';
import type { SoundFeatures } from './sound-features.ts';

/** Request and reply of the decoder; `analysis` is null when the sound could not be decoded. */
export interface PeaksRequest {
  readonly id: number;
  readonly file: AudioFile;
}
export interface PeaksReply {
  readonly id: number;
  readonly analysis: SoundAnalysis | null;
}

/** For the start, plus a tenth of the sound's duration: thirty times the need of our own machines. */
const TIME_LIMIT_MS = 60_000;
const TIME_LIMIT_SHARE = 0.1;

/** The result of decoding a sound. */
export type SoundReading =
  | {
      readonly state: 'read';
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

export interface PeaksPool {
  /** Reads a sound file of `durationMs`; without it, the maximum duration is assumed. Never throws. */
  readSound(file: AudioFile, durationMs?: number, stop?: AbortSignal): Promise<SoundReading>;
  /** Only the waveform; a flat one if the sound cannot be decoded. */
  readPeaks(file: AudioFile): Promise<string>;
  close(): Promise<void>;
}

interface Job {
  readonly file: AudioFile;
  readonly timeLimitMs: number;
  readonly stop: AbortSignal | undefined;
  readonly resolve: (reading: SoundReading) => void;
}

/**
 * Decodes in `size` processes, started on first use: a long sound delays no request, and a sound that crashes its
 * decoder does not end the server. A killed server therefore says nothing about the sound it was decoding.
 */
export function createPeaksPool(
  size = Math.min(2, availableParallelism()),
  timeLimitMs = TIME_LIMIT_MS,
): PeaksPool {
  const waiting: Job[] = [];
  const idle: Decoder[] = [];
  const all = new Set<Decoder>();

  function next(): void {
    if (waiting.length === 0) return;
    const decoder = idle.pop() ?? (all.size < size ? start() : undefined);
    const job = decoder && waiting.shift();
    if (job) decoder.run(job);
  }

  function start(): Decoder {
    const decoder = startDecoder((isAlive) => {
      if (isAlive) idle.push(decoder);
      else removeDecoder(decoder);
      next();
    });
    all.add(decoder);
    return decoder;
  }

  /** Applies to idle processes as well: the kernel kills decoders first when memory runs out. */
  function removeDecoder(decoder: Decoder): void {
    all.delete(decoder);
    const place = idle.indexOf(decoder);
    if (place >= 0) idle.splice(place, 1);
  }

  function readSound(
    file: AudioFile,
    durationMs = AUDIO_DURATION_MS_MAX,
    stop?: AbortSignal,
  ): Promise<SoundReading> {
    return new Promise((resolve) => {
      waiting.push({ file, timeLimitMs: timeLimitMs + durationMs * TIME_LIMIT_SHARE, stop, resolve });
      next();
    });
  }

  return {
    readSound,
    async readPeaks(file) {
      const reading = await readSound(file);
      return reading.state === 'read' ? reading.peaks : FLAT_PEAKS;
    },
    async close() {
      await Promise.all([...all].map((decoder) => decoder.stop()));
    },
  };
}

interface Decoder {
  run(job: Job): void;
  stop(): Promise<unknown>;
}

/** One process with one job at a time; it ends when it crashes or times out. It has no access to secret settings. */
function startDecoder(onDone: (isAlive: boolean) => void): Decoder {
  const child = fork(fileURLToPath(new URL('./peaks-process.ts', import.meta.url)), {
    env: {},
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  let job: Job | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  let hasExited = false;
  let isStopped = false;
  const terminate = () => void child.kill('SIGKILL');
  function stop(): void {
    isStopped = true;
    terminate();
  }

  /** An idle process must not keep the server alive. */
  function unref(): void {
    child.unref();
    child.channel?.unref();
  }

  function finish(reading: SoundReading, isAlive: boolean): void {
    clearTimeout(timer);
    unref();
    const done = job;
    job = undefined;
    done?.stop?.removeEventListener('abort', stop);
    done?.resolve(reading);
    if (done || !isAlive) onDone(isAlive);
  }

  function end(): void {
    if (hasExited) return;
    hasExited = true;
    finish({ state: isStopped || child.pid === undefined ? 'stopped' : 'interrupted' }, false);
  }

  unref();
  child.on('message', (reply: PeaksReply) => {
    if (reply.id === lastId) finish(toReading(reply), true);
  });
  // An 'exit' event follows if the process had started.
  child.on('error', () => {
    if (child.pid === undefined) end();
  });
  child.on('exit', end);

  return {
    run(next) {
      job = next;
      if (hasExited) return finish({ state: 'stopped' }, false);
      lastId += 1;
      child.ref();
      child.channel?.ref();
      timer = setTimeout(terminate, next.timeLimitMs);
      next.stop?.addEventListener('abort', stop);
      if (next.stop?.aborted) return stop();
      child.send({ id: lastId, file: next.file } satisfies PeaksRequest, () => undefined);
    },
    stop() {
      stop();
      return exited;
    },
  };
}

function toReading({ analysis }: PeaksReply): SoundReading {
  if (analysis === null) return { state: 'unreadable' };
  const { peaks, findings, features } = analysis;
  return { state: 'read', peaks: encodePeaks(peaks), findings, features };
}
