import { openThread } from '../threads.ts';
import type { Thread } from '../threads.ts';
import type { DictionaryWord } from './pronunciations.ts';

export type DictionaryWords = readonly (readonly DictionaryWord[])[];

export interface Dictionary {
  /** The words of each text. Rejects if the dictionary cannot be loaded, or a text ends or stops its thread. */
  read(texts: readonly string[]): Promise<DictionaryWords>;
  /** Frees its memory. */
  close(): Promise<void>;
}

/** A text of 4,000 characters takes 50 ms, and loading the dictionary half a second. */
const TIME_LIMIT_MS = 30_000;

/** Opens the dictionary in a thread, which starts with the first texts and again after a failure. */
export function openDictionary(timeLimitMs = TIME_LIMIT_MS): Dictionary {
  let thread: Thread<readonly string[], DictionaryWords> | undefined;
  const url = new URL('./dictionary-worker.ts', import.meta.url);
  return {
    async read(texts) {
      const current = (thread ??= openThread(url, 'the thread of the dictionary', timeLimitMs));
      try {
        return await current.ask(texts);
      } catch (error) {
        if (thread === current) thread = undefined;
        throw error;
      }
    },
    async close() {
      await thread?.close();
      thread = undefined;
    },
  };
}
