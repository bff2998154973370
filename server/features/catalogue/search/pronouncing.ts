import { setTimeout as wait } from 'node:timers/promises';
import { repeatInBackground } from '../../../platform/concurrency/background-jobs.ts';
import { withLease } from '../../../platform/concurrency/leases.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { selectSearchDocument, toReadTexts } from './documents.ts';
import { indexSound } from '../service.ts';
import { openDictionary } from './dictionary.ts';
import type { Dictionary } from './dictionary.ts';
import { putReadTokens, selectUnpronounced } from './pronunciation-queries.ts';
import { loadWords } from './load-words.ts';
import { toReadTokens, toSourceHash } from './pronunciations.ts';
import type { ReadTexts } from './pronunciations.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import { own } from '../tables.ts';

export type PronouncingDeps = Pick<Platform, 'database' | 'logger' | 'catalogueChanged'>;

/** Sounds in one transaction. Afterwards, others can write for as long as it took. */
const SOUNDS_AT_ONCE = 20;
const PAUSE_MS_MAX = 50;

const REPETITION = {
  /** How soon kana find a new sound. */
  everyMs: 5_000,
  afterFailureMs: 60_000,
  failure: 'failed to find the pronunciations of sounds; trying again in a minute',
};

/** Finds pronunciations in the background from now on; returns a function that stops it. */
export function startPronouncing(platform: Platform): () => void {
  return repeatInBackground(platform, REPETITION, (ending) => pronounceSounds(platform, ending));
}

/**
 * Finds out how the words of all marked sounds are pronounced, so that kana find kanji, unless another call or process
 * does so. Returns the number of sounds. Progress is stored with each batch.
 */
export async function pronounceSounds(
  deps: PronouncingDeps,
  ending?: AbortSignal,
  open: () => Dictionary = openDictionary,
): Promise<number> {
  const { database, logger, catalogueChanged } = deps;
  if ((await selectUnpronounced(database.db, 1)).length === 0) return 0;
  let sounds = 0;
  await withLease(database, logger, 'pronunciations of sounds', async () => {
    const dictionary = open();
    try {
      for (;;) {
        if (ending?.aborted) return;
        const began = performance.now();
        const seqs = await selectUnpronounced(database.db, SOUNDS_AT_ONCE);
        if (seqs.length === 0) return;
        sounds += await pronounceBatch(deps, dictionary, seqs);
        await wait(Math.min(performance.now() - began, PAUSE_MS_MAX));
      }
    } finally {
      await dictionary.close();
    }
  });
  if (sounds > 0) catalogueChanged();
  return sounds;
}

async function pronounceBatch(
  deps: PronouncingDeps,
  dictionary: Dictionary,
  seqs: readonly number[],
): Promise<number> {
  const { db } = deps.database;
  const found = new Map<number, { readonly hash: string; readonly tokens: readonly string[] }>();
  for (const seq of seqs) {
    const document = await selectSearchDocument(db, seq);
    if (document === undefined) continue;
    const source = toReadTexts(document);
    found.set(seq, {
      hash: toSourceHash(source),
      tokens: await readTexts(deps, dictionary, seq, source),
    });
  }
  // PostgreSQL knows no empty list.
  if (found.size === 0) return 0;
  return db.transaction().execute(async (transaction: Handle) => {
    let stored = 0;
    const locked = await own(transaction)
      .selectFrom('sounds')
      .select('seq')
      .where('seq', 'in', [...found.keys()])
      .orderBy('seq')
      .forNoKeyUpdate()
      .execute();
    for (const { seq } of locked) {
      const document = await selectSearchDocument(transaction, seq);
      const { hash, tokens } = found.get(seq) ?? {};
      // Changed meanwhile, so it is still marked.
      if (document === undefined || hash === undefined || tokens === undefined) continue;
      if (toSourceHash(toReadTexts(document)) !== hash) continue;
      await putReadTokens(transaction, seq, hash, tokens);
      await indexSound(deps.database, transaction, seq);
      stored += 1;
    }
    return stored;
  });
}

/** A sound whose words the dictionary cannot find has no such tokens, so that the others do not wait for it. */
async function readTexts(
  { logger }: PronouncingDeps,
  dictionary: Dictionary,
  seq: number,
  texts: ReadTexts,
): Promise<string[]> {
  const { title, artist, labels, description } = texts;
  try {
    const [inTitle = [], inArtist = [], inDescription = [], ...inLabels] = await dictionary.read([
      title,
      artist,
      description,
      ...labels,
    ]);
    const words = { title: inTitle, artist: inArtist, description: inDescription, labels: inLabels };
    return toReadTokens(words, texts, loadWords());
  } catch (error) {
    logger.warn({ err: error, seq }, 'failed to find the pronunciations of a sound');
    return [];
  }
}
