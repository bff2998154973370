import { setTimeout as wait } from 'node:timers/promises';
import { addProcessorMs } from '../../../platform/limits/processor-time.ts';
import { openDictionary } from './dictionary.ts';
import type { Dictionary } from './dictionary.ts';
import type { DictionaryWord } from './pronunciations.ts';

/** The dictionary takes 150 MB, and half a second to open. */
const IDLE_MS_MAX = 30_000;
/** The processor time of opening it, on its own thread. Whoever causes it pays. */
const OPENING_MS = 1_400;
/** A search that finds nothing waits no longer. Tests whose answers must not depend on the machine wait longer. */
export const patience = { ms: 2_000 };

let dictionary: Dictionary | undefined;
let closing: NodeJS.Timeout | undefined;

/** The words of a text as the dictionary has them; undefined if it fails or takes too long. */
export async function readQueryWords(text: string): Promise<readonly DictionaryWord[] | undefined> {
  if (dictionary === undefined) addProcessorMs(OPENING_MS);
  const opened = (dictionary ??= openDictionary());
  clearTimeout(closing);
  closing = setTimeout(() => void closeQueryWords(), IDLE_MS_MAX).unref();
  const read = opened.read([text]).catch(() => undefined);
  return (await Promise.race([read, wait(patience.ms, undefined, { ref: false })]))?.[0];
}

/** Ends the thread of the dictionary. */
export async function closeQueryWords(): Promise<void> {
  clearTimeout(closing);
  const opened = dictionary;
  dictionary = undefined;
  await opened?.close();
}
