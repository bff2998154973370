import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AUDIO_DURATION_MS_MAX } from '../../contract/audio-files.ts';
import { FLAT_PEAKS, encodePeaks } from '../../contract/peaks.ts';
import type { SoundFindings } from '../../contract/sound-findings.ts';
import type { AudioFile } from './audio-source.ts';
import type { SoundAnalysis } from './sound-analysis.ts';

/** What the worker is sent and answers; `analysis` is null when the sound could not be decoded. */
export interface PeaksRequest {
  readonly id: number;
  readonly file: AudioFile;
}
export interface PeaksReply {
  readonly id: number;
  readonly analysis: SoundAnalysis | null;
}

/** For starting, and a tenth of what the sound lasts: thirty times what our own machines need. */
const TIME_LIMIT_MS = 60_000;
const TIME_LIMIT_SHARE = 0.1;

/** What came of decoding a sound. */
export type SoundReading =
  | {
      readonly state: 'read';
      /** As `encodePeaks` text. */
      readonly peaks: string;
      readonly findings: SoundFindings;
    }
  /** It cannot be decoded, and never will be. */
  | { readonly state: 'unreadable' }
  /** The thread crashed, took too long, or was stopped: there may have been too little memory, or time. */
  | { readonly state: 'interrupted' };

export interface PeaksPool {
  /** Reads a sound file that lasts `durationMs`; unless told, it may be as long as any. Never throws. */
  readSound(file: AudioFile, durationMs?: number, stop?: AbortSignal): Promise<SoundReading>;
  /** Its waveform alone; a flat one when it cannot be decoded. */
  readPeaks(file: AudioFile): Promise<string>;
  close(): Promise<void>;
}

interface Job {
  readonly file: AudioFile;
  readonly timeLimitMs: number;
  readonly stop: AbortSignal | undefined;
  readonly resolve: (reading: SoundReading) => void;
}

/** Decodes in `size` threads, started when first needed, so that a long sound holds up no request. */
export function createPeaksPool(
  size = Math.min(2, availableParallelism()),
  timeLimitMs = TIME_LIMIT_MS,
): PeaksPool {
  const waiting: Job[] = [];
  const idle: PeaksThread[] = [];
  const all = new Set<PeaksThread>();

  function next(): void {
    if (waiting.length === 0) return;
    const thread = idle.pop() ?? (all.size < size ? start() : undefined);
    const job = thread && waiting.shift();
    if (job) thread.run(job);
  }

  function start(): PeaksThread {
    const thread = startThread((isAlive) => {
      if (isAlive) idle.push(thread);
      else all.delete(thread);
      next();
    });
    all.add(thread);
    return thread;
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
      await Promise.all([...all].map((thread) => thread.stop()));
    },
  };
}

interface PeaksThread {
  run(job: Job): void;
  stop(): Promise<unknown>;
}

/** One thread with one job at a time; it is given up when it crashes or takes too long. */
function startThread(onDone: (isAlive: boolean) => void): PeaksThread {
  const worker = new Worker(new URL('./peaks-worker.ts', import.meta.url), {
    // A small young generation: decoded samples are thrown away as fast as they come.
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 },
  });
  let job: Job | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastId = 0;
  const terminate = () => void worker.terminate();

  function finish(reading: SoundReading, isAlive: boolean): void {
    clearTimeout(timer);
    // A thread that waits must not keep the process alive.
    worker.unref();
    const done = job;
    job = undefined;
    done?.stop?.removeEventListener('abort', terminate);
    done?.resolve(reading);
    if (done || !isAlive) onDone(isAlive);
  }

  worker.unref();
  worker.on('message', (reply: PeaksReply) => {
    if (reply.id === lastId) finish(toReading(reply), true);
  });
  // An 'exit' follows, and says it.
  worker.on('error', () => {});
  worker.on('exit', () => finish({ state: 'interrupted' }, false));

  return {
    run(next) {
      job = next;
      lastId += 1;
      worker.ref();
      timer = setTimeout(terminate, next.timeLimitMs);
      next.stop?.addEventListener('abort', terminate);
      if (next.stop?.aborted) terminate();
      worker.postMessage({ id: lastId, file: next.file } satisfies PeaksRequest);
    },
    stop: () => worker.terminate(),
  };
}

function toReading({ analysis }: PeaksReply): SoundReading {
  if (analysis === null) return { state: 'unreadable' };
  return { state: 'read', peaks: encodePeaks(analysis.peaks), findings: analysis.findings };
}
