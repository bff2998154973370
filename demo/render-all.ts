import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { SoundSpec } from './catalogue.ts';
import type { RenderedSound } from './render.ts';

export interface RenderedEntry extends RenderedSound {
  /** Index of the sound in the given list. */
  index: number;
}

/**
 * Renders all sounds on every processor and yields each when it is finished, longest first. Stops its workers when the
 * consumer stops; rethrows errors of workers.
 */
export async function* renderAll(sounds: readonly SoundSpec[]): AsyncGenerator<RenderedEntry> {
  const waiting = sounds
    .map((spec, index) => ({ spec, index }))
    .sort((a, b) => b.spec.durationSec - a.spec.durationSec);
  const done: RenderedEntry[] = [];
  let failure: unknown;
  let wake = () => {};
  const feed = (worker: Worker) => {
    const job = waiting.shift();
    if (job) worker.postMessage(job);
  };
  const workers = Array.from({ length: Math.min(availableParallelism(), sounds.length) }, () => {
    const worker = new Worker(new URL('./render-worker.ts', import.meta.url));
    worker.on('message', (entry: RenderedEntry) => {
      done.push(entry);
      feed(worker);
      wake();
    });
    worker.on('error', (error) => {
      failure = error;
      wake();
    });
    feed(worker);
    return worker;
  });
  try {
    for (let yielded = 0; yielded < sounds.length;) {
      const entry = done.shift();
      if (entry) {
        yielded++;
        yield entry;
      } else if (failure) throw failure;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
