import { exists } from '../../../platform/database/statements/outcomes.ts';
import { mapTokens } from '../../../platform/database/search-index/search-expression.ts';
import type { Database } from '../../../platform/database/open.ts';
import { selectSearchDocument } from './documents.ts';
import { indexSound } from '../service.ts';
import { isUnpronounced } from './pronunciation-queries.ts';
import { IS_THERE } from '../visibility.ts';
import { EVERYTHING as PUBLIC, facets, toPrivate, toSearchTokens } from './tokens.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import { own } from '../tables.ts';

/**
 * - `missing`: the sound is not in the index.
 * - `outdated`: the index lacks words of the sound, or has other counts.
 * - `orphaned`: the index has a sound that does not exist.
 * - `other-artist`, `other-visibility`: the index has the sound as that of another artist, or a private sound as a public
 *   one or the reverse. Row and index change together, so one of them was changed by another program.
 */
export interface IndexFault {
  readonly kind: 'missing' | 'outdated' | 'orphaned' | 'other-artist' | 'other-visibility';
  readonly seq: number;
  /** Undefined if it does not exist. */
  readonly soundId: string | undefined;
}

/** Sounds in one window; the database is free for others after each. */
const WINDOW_SEQS = 200;
/** The highest value of the column in PostgreSQL. */
const SEQ_MAX = 2 ** 31 - 1;

const PRIVATE = mapTokens(PUBLIC, toPrivate);

/**
 * Where the search index differs from the rows. Reads every sound in windows; sounds that are being changed or wait to
 * be indexed again are not reported.
 */
export async function* compareSearchIndex(database: Database): AsyncIterable<IndexFault> {
  const { db, search } = database;
  const newest = await own(db)
    .selectFrom('sounds')
    .select('seq')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const last = newest?.seq ?? 0;
  for (let first = 1; first <= last; first += WINDOW_SEQS) {
    const faults = await compareWindow(database, first, Math.min(first + WINDOW_SEQS - 1, last));
    for (const { seq } of faults) {
      // A second look: the row and the index may have changed together in between.
      const [fault] = await compareWindow(database, seq, seq);
      if (fault !== undefined) yield fault;
    }
  }
  for (let first = last + 1; ;) {
    const seqs = await search.list(db, first, SEQ_MAX, WINDOW_SEQS);
    for (const seq of seqs) {
      const [fault] = await compareWindow(database, seq, seq);
      if (fault?.kind === 'orphaned') yield fault;
    }
    const lastListed = seqs.at(-1);
    if (lastListed === undefined) return;
    first = lastListed + 1;
  }
}

async function compareWindow(database: Database, first: number, last: number): Promise<IndexFault[]> {
  const { db, search } = database;
  const indexed = new Set(await search.list(db, first, last, last - first + 1));
  const sounds = await selectWindow(db, first, last);
  const seqs = [...indexed];
  const [asPublic, asPrivate] = [await search.among(db, PUBLIC, seqs), await search.among(db, PRIVATE, seqs)];
  const outdated = new Set(await search.listOutdated(db, first, last));
  const faults: IndexFault[] = [];
  for (const { seq, id, is_published } of sounds) {
    const isIndexed = indexed.delete(seq);
    const [right, wrong] = is_published === 1 ? [asPublic, asPrivate] : [asPrivate, asPublic];
    if (!isIndexed) faults.push({ kind: 'missing', seq, soundId: id });
    else if (!right.has(seq) && wrong.has(seq)) faults.push({ kind: 'other-visibility', seq, soundId: id });
    else if (!right.has(seq) || wrong.has(seq) || outdated.has(seq) || !(await hasAllTokens(database, seq)))
      faults.push({
        kind: (await isOfArtist(database, seq)) ? 'outdated' : 'other-artist',
        seq,
        soundId: id,
      });
  }
  for (const seq of indexed) {
    const waits = await isWaiting(db, seq);
    // A sound that was deleted between the two queries above has left the index with its row.
    const isStillIndexed = (await search.list(db, seq, seq, 1)).length > 0;
    if (!waits && isStillIndexed) faults.push({ kind: 'orphaned', seq, soundId: undefined });
  }
  return faults;
}

/** Sounds whose artist waits to be indexed again are not included. */
function selectWindow(db: Database['db'], first: number, last: number) {
  return own(db)
    .selectFrom('sounds')
    .select(['seq', 'id', 'is_published'])
    .where(IS_THERE)
    .where('seq', '>=', first)
    .where('seq', '<=', last)
    .where('artist_id', 'not in', (query) => query.selectFrom('unindexed_artists').select('user_id'))
    .execute();
}

/** Whether the sound exists; its artist then waits to be indexed again. */
async function isWaiting(db: Database['db'], seq: number): Promise<boolean> {
  return exists(own(db).selectFrom('sounds').select('seq').where('seq', '=', seq).where(IS_THERE));
}

async function isOfArtist({ db, search }: Database, seq: number): Promise<boolean> {
  const document = await selectSearchDocument(db, seq);
  if (document === undefined) return true; // Deleted in between.
  const token = facets.artist(document.artistId);
  return (await search.among(db, { any: [token, toPrivate(token)] }, [seq])).has(seq);
}

async function hasAllTokens({ db, search }: Database, seq: number): Promise<boolean> {
  const document = await selectSearchDocument(db, seq);
  if (document === undefined) return true; // Deleted in between.
  // A sound that waits to be read again may be older than the tokens of lengths.
  const facts = (await isUnpronounced(db, seq)) ? { ...document.facts, length: [] } : document.facts;
  const expression = { all: [...new Set(toSearchTokens({ ...document, facts }))] };
  return (await search.among(db, expression, [seq])).has(seq);
}

/** Writes a sound's tokens and counts again, or removes those of a sound that does not exist. */
export async function reindexSound(database: Database, seq: number): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    await own(transaction)
      .selectFrom('sounds')
      .select('seq')
      .where('seq', '=', seq)
      .forNoKeyUpdate()
      .execute();
    await indexSound(database, transaction, seq);
    await database.search.refresh(transaction, seq);
  });
}
