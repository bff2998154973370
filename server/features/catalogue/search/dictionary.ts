import { Worker } from 'node:worker_threads';
import type { ReadWord } from './readings.ts';

export interface ReadRequest {
  readonly id: number;
  readonly texts: readonly string[];
}
export interface ReadReply {
  readonly id: number;
  readonly words: readonly (readonly ReadWord[])[];
}

export interface Dictionary {
  /** The words of each text. Rejects if the dictionary cannot be loaded, or a text ends or stops its thread. */
  read(texts: readonly string[]): Promise<readonly (readonly ReadWord[])[]>;
  /** Frees its memory. */
  close(): Promise<void>;
}

/** A text of 4,000 characters takes 50 ms, and loading the dictionary half a second. */
const TIME_LIMIT_MS = 30_000;

/** Opens the dictionary in a thread, which starts with the first texts and again after a failure. */
export function openDictionary(timeLimitMs = TIME_LIMIT_MS): Dictionary {
  let worker: Worker | undefined;
  let ids = 0;

  function ask(texts: readonly string[]): Promise<ReadReply['words']> {
    const thread = (worker ??= new Worker(new URL('./dictionary-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    }));
    const id = (ids += 1);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => fail(new Error('a text was not read in time')), timeLimitMs);
      const end = () => {
        clearTimeout(timer);
        thread.off('message', onMessage).off('error', fail).off('exit', onExit);
      };
      const fail = (error: Error) => {
        end();
        worker = undefined;
        // Its error has been reported, and there is no further one.
        thread.on('error', () => undefined);
        void thread.terminate();
        reject(error);
      };
      const onExit = () => fail(new Error('the thread of the dictionary ended'));
      const onMessage = (reply: ReadReply) => {
        if (reply.id !== id) return;
        end();
        resolve(reply.words);
      };
      thread.on('message', onMessage).on('error', fail).on('exit', onExit);
      thread.postMessage({ id, texts } satisfies ReadRequest);
    });
  }

  return {
    read: (texts) => ask(texts),
    async close() {
      await worker?.terminate();
      worker = undefined;
    },
  };
}
