import { setTimeout as wait } from 'node:timers/promises';
import { toSoundKey } from '../../media/object-keys.ts';
import { repeatInBackground, withLease } from '../../platform/concurrency/concurrency.ts';
import type { Platform } from '../../platform/http/http.ts';
import { MissingObjectError } from '../../platform/storage/storage.ts';
import {
  indexSound,
  noteFailedMeasuring,
  putFeatures,
  putFindings,
  selectUnmeasured,
} from '../catalogue/catalogue.ts';
import { readStoredSound } from './waveforms.ts';

export type MeasuringDeps = Pick<
  Platform,
  'database' | 'storage' | 'temporaryFiles' | 'logger' | 'catalogueChanged'
>;

/** New sounds are measured with their waveform; this is for those that were stored with one. */
const REPETITION = {
  everyMs: 30_000,
  afterFailureMs: 60_000,
  failure: 'failed to measure sounds; trying again in a minute',
};
/** Pause after each sound, as a multiple of the time it took: a quarter of a core at most. */
const PAUSE_SHARE = 3;
const CHANGES_AT_ONCE = 50;
/** A storage that fails this often in a row is left alone for now. */
const FAILURES_MAX = 3;

/** Measures sounds in the background from now on; returns a function that stops it. */
export function startMeasuring(platform: Platform): () => void {
  return repeatInBackground(platform, REPETITION, (ending) => measureSounds(platform, ending));
}

/**
 * Measures all marked sounds, one after another, unless another call or process is at it.
 * Returns the number of sounds. Throws when the storage or the database fails; progress is stored with each sound, and a
 * file that the storage refuses does not hold up the others.
 */
export async function measureSounds(
  deps: MeasuringDeps,
  ending?: AbortSignal,
  pauseShare = PAUSE_SHARE,
): Promise<number> {
  const { database, logger, catalogueChanged } = deps;
  if ((await selectUnmeasured(database.db)) === undefined) return 0;
  let sounds = 0;
  let beforeSeq: number | undefined;
  let failure: { readonly error: unknown } | undefined;
  let failures = 0;
  await withLease(database, logger, 'measuring of sounds', async () => {
    for (;;) {
      const began = performance.now();
      const sound = await selectUnmeasured(database.db, beforeSeq);
      if (sound === undefined) break;
      try {
        if (!(await measure(deps, sound, ending))) break;
        failures = 0;
        sounds += 1;
        if (sounds % CHANGES_AT_ONCE === 0) catalogueChanged();
      } catch (error) {
        failure = { error };
        failures += 1;
        if (failures === FAILURES_MAX) break;
        beforeSeq = sound.seq;
      }
      const pauseMs = (performance.now() - began) * pauseShare;
      await wait(pauseMs, undefined, { signal: ending }).catch(() => undefined);
    }
  });
  if (sounds > 0) catalogueChanged();
  if (failure !== undefined) throw failure.error;
  return sounds;
}

type UnmeasuredSound = NonNullable<Awaited<ReturnType<typeof selectUnmeasured>>>;

/** Returns false if the process is about to end. */
async function measure(
  deps: MeasuringDeps,
  { seq, audio_key, audio_size, duration_ms }: UnmeasuredSound,
  ending: AbortSignal | undefined,
): Promise<boolean> {
  const { database } = deps;
  const { db } = database;
  const stored = { objectKey: toSoundKey(audio_key), sizeBytes: audio_size, durationMs: duration_ms };
  const reading = await readStoredSound(deps, stored, ending).catch((error: unknown) => {
    if (error instanceof MissingObjectError) return { state: 'unreadable' } as const;
    throw error;
  });
  if (reading === undefined || reading.state === 'stopped') return false;
  if (reading.state !== 'read') {
    await noteFailedMeasuring(db, seq, reading.state === 'unreadable');
    return true;
  }
  await db.transaction().execute(async (transaction) => {
    // The sound may have been deleted meanwhile.
    const row = await transaction
      .selectFrom('sounds')
      .select('seq')
      .where('seq', '=', seq)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    await putFindings(transaction, seq, reading.findings);
    await putFeatures(transaction, seq, reading.features);
    await indexSound(database, transaction, seq);
  });
  return true;
}
