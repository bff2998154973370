import { setTimeout as wait } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS } from '../../../../contract/values/time-units.ts';
import { pageTags } from '../../../../contract/site/page-tags.ts';
import { FEATURES_VERSION } from '../../../media/analysis/sound-features.ts';
import { repeatInBackground } from '../../../platform/concurrency/background-jobs.ts';
import { withLease } from '../../../platform/concurrency/leases.ts';
import type { Platform } from '../../../platform/http/context.ts';
import {
  countCompared,
  deleteIncomparable,
  findModel,
  insertUncompared,
  isMeasuringAnew,
  putModel,
  putNeighbours,
  selectNumbers,
  selectTypeIds,
  selectUncompared,
  updateModel,
} from './queries.ts';
import { openComparer } from './thread.ts';
import type { Comparer, Neighbours } from './thread.ts';
import type { Handle } from '../../../platform/database/handle.ts';

export type ComparingDeps = Pick<Platform, 'database' | 'clock' | 'logger' | 'catalogueChanged'>;

/** Less similar sounds are marked as less sure (decision 112). */
const SIMILARITY_SURE = 0.55;
/** With fewer sounds of a type no model is made. */
const SOUNDS_MIN = 20;
/** The model is made again when the number of sounds has grown by this factor. */
const GROWTH = 1.5;
/** Sounds that have been compared are compared with newer ones once a day. */
const ROUND_MS = DAY_MS;

const REPETITION = {
  everyMs: 60_000,
  afterFailureMs: 5 * MINUTE_MS,
  failure: 'failed to compare sounds; trying again in five minutes',
};
const LOADED_AT_ONCE = 250;
const COMPARED_AT_ONCE = 50;

/** How much one call does, and how fast; tests change it. */
export interface Pace {
  /** Maximum number of sounds of a type that one call compares. */
  readonly soundsMax: number;
  /** Pause after each batch, as a multiple of the time it took: a quarter of a core at most. */
  readonly pauseShare: number;
  readonly open: () => Comparer;
}
const PACE: Pace = { soundsMax: 5_000, pauseShare: 3, open: openComparer };

/** Compares sounds in the background from now on; returns a function that stops it. */
export function startComparing(platform: Platform): () => void {
  return repeatInBackground(platform, REPETITION, (ending) => compareSounds(platform, ending));
}

/**
 * Finds the neighbours of marked sounds, and once a day those of all sounds of a type with new ones, unless another call
 * or process does so. Returns the number of sounds: at most `soundsMax` of each type. Progress is stored with each
 * batch, so that the next call, in any process, continues there.
 */
export async function compareSounds(
  deps: ComparingDeps,
  ending?: AbortSignal,
  pace: Pace = PACE,
): Promise<number> {
  const { database, logger } = deps;
  const typeIds: number[] = [];
  for (const id of await selectTypeIds(database.db)) if (await hasWork(deps, id)) typeIds.push(id);
  if (typeIds.length === 0) return 0;
  let sounds = 0;
  await withLease(database, logger, 'comparing of sounds', async () => {
    for (const typeId of typeIds) {
      // Another process may have done it before the lease was ours.
      if (ending?.aborted || !(await hasWork(deps, typeId))) continue;
      const comparer = pace.open();
      try {
        sounds += await compareType({ ...deps, comparer, pace, ending }, typeId);
      } finally {
        await comparer.close();
      }
    }
  });
  return sounds;
}

async function hasWork({ database: { db }, clock }: ComparingDeps, typeId: number): Promise<boolean> {
  const model = await findModel(db, typeId);
  if (model === undefined) return (await countCompared(db, typeId, SOUNDS_MIN)) === SOUNDS_MIN;
  // Until then the neighbours by the earlier numbers stay.
  if (model.version !== FEATURES_VERSION && (await isMeasuringAnew(db))) return false;
  if (isOutgrown(model) || isDue(model, clock.now())) return true;
  return (await selectUncompared(db, typeId, model.round_at, 1)).length > 0;
}

type Model = NonNullable<Awaited<ReturnType<typeof findModel>>>;

/** Whether the model no longer describes how the sounds of the type vary. */
function isOutgrown({ version, sounds, seen }: Model): boolean {
  return version !== FEATURES_VERSION || seen >= sounds * GROWTH;
}

/** Whether sounds that have been compared are to be compared with newer ones. */
function isDue(model: Model, now: number): boolean {
  return model.changed_at > model.round_at && now >= model.round_at + ROUND_MS;
}

interface Comparing extends ComparingDeps {
  readonly comparer: Comparer;
  readonly pace: Pace;
  readonly ending: AbortSignal | undefined;
}

async function compareType(deps: Comparing, typeId: number): Promise<number> {
  const { database, clock, comparer, pace } = deps;
  const { db } = database;
  let model = await findModel(db, typeId);
  const isFirst = model === undefined;
  // Times never go back, also when the clock does: otherwise the same sounds would be compared again and again.
  const began = Math.max(clock.now(), (model?.round_at ?? 0) + 1);
  if (model === undefined || isOutgrown(model)) model = await makeModel(deps, typeId, began);
  else if (isDue(model, began) && (await selectUncompared(db, typeId, model.round_at, 1)).length === 0) {
    model = { ...model, round_at: began };
    await updateModel(db, typeId, { round_at: began });
  }
  if (model === undefined) {
    // Those that were withdrawn before they were ever compared do not count any more.
    const marked = isFirst ? await selectUncompared(db, typeId, began, pace.soundsMax) : [];
    await deleteIncomparable(
      db,
      marked.map(({ sound_seq }) => sound_seq),
    );
    return 0;
  }
  // Before the sounds are loaded: one that is missing among them was withdrawn.
  const picked = await selectUncompared(db, typeId, model.round_at, pace.soundsMax);
  await comparer.use(model.model);
  let seen = 0;
  await eachPage(deps, typeId, async (page) => {
    await insertUncompared(
      db,
      page.flatMap(({ seq, isMarked }) => (isMarked ? [] : [seq])),
    );
    await comparer.add(page);
    seen += page.length;
  });
  if (deps.ending?.aborted) return 0;
  await updateModel(db, typeId, { seen });
  let compared = 0;
  for (let from = 0; from < picked.length && !deps.ending?.aborted; from += COMPARED_AT_ONCE) {
    const round = { typeId, roundAt: model.round_at, loadedAt: began };
    compared += await compareBatch(deps, round, picked.slice(from, from + COMPARED_AT_ONCE));
  }
  return compared;
}

/** Learns how the sounds of a type vary, after which all of them are compared again. undefined if there are too few. */
async function makeModel(deps: Comparing, typeId: number, now: number): Promise<Model | undefined> {
  let sounds = 0;
  await eachPage(deps, typeId, async (page) => {
    sounds += page.length;
    await deps.comparer.learn(page.map(({ numbers }) => numbers));
  });
  if (sounds < SOUNDS_MIN || deps.ending?.aborted) return undefined;
  const model = {
    type_id: typeId,
    version: FEATURES_VERSION,
    sounds,
    seen: sounds,
    model: await deps.comparer.finishModel(),
    round_at: now,
    changed_at: now,
  };
  await putModel(deps.database.db, model);
  return model;
}

interface LoadedSound {
  readonly seq: number;
  readonly artist: string;
  readonly numbers: string;
  readonly isMarked: boolean;
}

/** Reads all public sounds of a type in small pieces. */
async function eachPage(
  { database, ending, pace }: Comparing,
  typeId: number,
  take: (page: readonly LoadedSound[]) => Promise<void>,
): Promise<void> {
  let after = 0;
  for (;;) {
    if (ending?.aborted) return;
    const began = performance.now();
    const rows = await selectNumbers(database.db, typeId, after, LOADED_AT_ONCE);
    const tookMs = performance.now() - began;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.seq;
    await take(
      rows.map(({ seq, artist_id, numbers, marked }) => ({
        seq,
        artist: artist_id,
        numbers: numbers ?? '',
        isMarked: marked !== null,
      })),
    );
    await wait(tookMs * pace.pauseShare);
  }
}

async function compareBatch(
  { database, clock, comparer, pace, ending, catalogueChanged }: Comparing,
  { typeId, roundAt, loadedAt }: Record<'typeId' | 'roundAt' | 'loadedAt', number>,
  batch: readonly { readonly sound_seq: number; readonly compared_at: number }[],
): Promise<number> {
  const began = performance.now();
  const seqs = batch.map(({ sound_seq }) => sound_seq);
  const lists = await comparer.nearest(seqs, SIMILARITY_SURE);
  const found = new Map<number, Neighbours>();
  for (const [index, list] of lists.entries()) if (list !== null) found.set(seqs[index] ?? 0, list);
  const changed = await database.db.transaction().execute(async (transaction: Handle) => {
    const ids = await putNeighbours(transaction, found, Math.max(clock.now(), roundAt));
    await deleteIncomparable(
      transaction,
      seqs.filter((seq) => !found.has(seq)),
    );
    const isNew = batch.some(({ sound_seq, compared_at }) => compared_at === 0 && found.has(sound_seq));
    if (isNew) await updateModel(transaction, typeId, { changed_at: loadedAt });
    return ids;
  });
  if (changed.length > 0) catalogueChanged(changed.map(pageTags.sound));
  await wait((performance.now() - began) * pace.pauseShare, undefined, { signal: ending }).catch(
    () => undefined,
  );
  return found.size;
}
