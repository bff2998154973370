import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PEAK_BARS, encodePeaks } from '../../contract/peaks.ts';
import type { AudioFile } from './audio-source.ts';

/** What the worker is sent and answers; `peaks` is null when the sound could not be decoded. */
export interface PeaksRequest {
  readonly id: number;
  readonly file: AudioFile;
}
export interface PeaksReply {
  readonly id: number;
  readonly peaks: number[] | null;
}

/** What a card shows when nothing is known of the sound's shape. */
export const FLAT_PEAKS = encodePeaks(Array.from({ length: PEAK_BARS }, () => 0.5));

const TIME_LIMIT_MS = 60_000;

export interface PeaksPool {
  /** The waveform of a sound file as `encodePeaks` text; a flat one when it cannot be decoded. Never throws. */
  readPeaks(file: AudioFile): Promise<string>;
  close(): Promise<void>;
}

interface Job {
  readonly file: AudioFile;
  readonly resolve: (peaks: string) => void;
}

/** Decodes in `size` threads, started when first needed, so that a long sound holds up no request. */
export function createPeaksPool(size = Math.min(2, availableParallelism())): PeaksPool {
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

  return {
    readPeaks: (file) =>
      new Promise((resolve) => {
        waiting.push({ file, resolve });
        next();
      }),
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

  function finish(peaks: number[] | null, isAlive: boolean): void {
    clearTimeout(timer);
    // A thread that waits must not keep the process alive.
    worker.unref();
    const done = job;
    job = undefined;
    done?.resolve(peaks === null ? FLAT_PEAKS : encodePeaks(peaks));
    if (done || !isAlive) onDone(isAlive);
  }

  worker.unref();
  worker.on('message', (reply: PeaksReply) => {
    if (reply.id === lastId) finish(reply.peaks, true);
  });
  // An 'exit' follows, and says it.
  worker.on('error', () => {});
  worker.on('exit', () => finish(null, false));

  return {
    run(next) {
      job = next;
      lastId += 1;
      worker.ref();
      timer = setTimeout(() => void worker.terminate(), TIME_LIMIT_MS);
      worker.postMessage({ id: lastId, file: next.file } satisfies PeaksRequest);
    },
    stop: () => worker.terminate(),
  };
}
