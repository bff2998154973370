import { setTimeout as wait } from 'node:timers/promises';
import { repeatInBackground, withLease } from '../../../platform/concurrency/concurrency.ts';
import type { Platform } from '../../../platform/http/http.ts';
import { selectSearchDocument, toReadingSource } from './documents.ts';
import { indexSound } from '../service.ts';
import { openDictionary } from './dictionary.ts';
import type { Dictionary } from './dictionary.ts';
import { putReadings, selectUnread } from './reading-queries.ts';
import { toSoundReadings, toSourceHash } from './readings.ts';
import type { ReadingSource, SoundReadings } from './readings.ts';

export type ReadingDeps = Pick<Platform, 'database' | 'logger' | 'catalogueChanged'>;

/** Sounds in one transaction. Afterwards, others can write for as long as it took. */
const SOUNDS_AT_ONCE = 20;
const PAUSE_MS_MAX = 50;

const REPETITION = {
  /** How soon kana find a new sound. */
  everyMs: 5_000,
  afterFailureMs: 60_000,
  failure: 'failed to read the words of sounds; trying again in a minute',
};

/** Reads sounds in the background from now on; returns a function that stops it. */
export function startReading(platform: Platform): () => void {
  return repeatInBackground(platform, REPETITION, (ending) => readSounds(platform, ending));
}

/**
 * Finds out how the words of all marked sounds are read, so that kana find kanji, unless another call or process does
 * so. Returns the number of sounds. Progress is stored with each batch.
 */
export async function readSounds(
  deps: ReadingDeps,
  ending?: AbortSignal,
  open: () => Dictionary = openDictionary,
): Promise<number> {
  const { database, logger, catalogueChanged } = deps;
  if ((await selectUnread(database.db, 1)).length === 0) return 0;
  let sounds = 0;
  await withLease(database, logger, 'readings of sounds', async () => {
    const dictionary = open();
    try {
      for (;;) {
        if (ending?.aborted) return;
        const began = performance.now();
        const seqs = await selectUnread(database.db, SOUNDS_AT_ONCE);
        if (seqs.length === 0) return;
        sounds += await readBatch(deps, dictionary, seqs);
        await wait(Math.min(performance.now() - began, PAUSE_MS_MAX));
      }
    } finally {
      await dictionary.close();
    }
  });
  if (sounds > 0) catalogueChanged();
  return sounds;
}

async function readBatch(
  deps: ReadingDeps,
  dictionary: Dictionary,
  seqs: readonly number[],
): Promise<number> {
  const { db } = deps.database;
  const read = new Map<number, { readonly hash: string; readonly readings: SoundReadings }>();
  for (const seq of seqs) {
    const document = await selectSearchDocument(db, seq);
    if (document === undefined) continue;
    const source = toReadingSource(document);
    read.set(seq, { hash: toSourceHash(source), readings: await readTexts(deps, dictionary, seq, source) });
  }
  return db.transaction().execute(async (transaction) => {
    let stored = 0;
    const locked = await transaction
      .selectFrom('sounds')
      .select('seq')
      .where('seq', 'in', [...read.keys()])
      .orderBy('seq')
      .forNoKeyUpdate()
      .execute();
    for (const { seq } of locked) {
      const document = await selectSearchDocument(transaction, seq);
      const { hash, readings } = read.get(seq) ?? {};
      // Changed meanwhile, so it is still marked.
      if (document === undefined || hash === undefined || readings === undefined) continue;
      if (toSourceHash(toReadingSource(document)) !== hash) continue;
      await putReadings(transaction, seq, hash, readings);
      await indexSound(deps.database, transaction, seq);
      stored += 1;
    }
    return stored;
  });
}

/** A sound that the dictionary cannot read has no readings, so that the others are not kept waiting. */
async function readTexts(
  { logger }: ReadingDeps,
  dictionary: Dictionary,
  seq: number,
  { names, description }: ReadingSource,
): Promise<SoundReadings> {
  try {
    const words = await dictionary.read([...names, description]);
    return toSoundReadings(words.slice(0, -1), words.at(-1) ?? []);
  } catch (error) {
    logger.warn({ err: error, seq }, 'failed to read the words of a sound');
    return { names: [], text: [] };
  }
}
