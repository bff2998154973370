import type { ApiDeps } from '../../http/context.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { createPeaksPool } from '../../media/peaks.ts';
import type { PeaksPool } from '../../media/peaks.ts';
import { createTurns } from '../../ports/turns.ts';
import { beginReading, endReading } from './findings-queries.ts';
import { keepPeaks, selectUnreadWaveforms } from './own-queries.ts';

export type WaveformDeps = Pick<
  ApiDeps,
  'database' | 'storage' | 'temporaryFiles' | 'logger' | 'catalogueChanged'
>;

interface UnreadSound {
  readonly seq: number;
  readonly audioKey: string;
}

/** A sound that took its thread, or even its process, along so often is left as it is. */
export const ATTEMPTS_MAX = 3;

/** One at a time: an hour of sound takes a core for a while, and nobody waits for it. */
const turns = createTurns(1, Infinity);
const sharedPool = createPeaksPool(1);
/** Keys of files that are waiting for their turn, or have it. */
const underWay = new Set<string>();

/**
 * Reads the waveform of a stored sound and measures what its artist should know, after the call that
 * uploaded it is answered. Never throws.
 */
export async function readWaveform(
  deps: WaveformDeps,
  sound: UnreadSound,
  pool: Pick<PeaksPool, 'readSound'> = sharedPool,
): Promise<void> {
  const { audioKey } = sound;
  if (underWay.has(audioKey)) return;
  underWay.add(audioKey);
  try {
    await turns.take(() => readAndKeep(deps, sound, pool));
  } catch (error) {
    // It stays noted and is tried again.
    deps.logger.warn({ err: error, audioKey }, 'a waveform could not be read');
  } finally {
    underWay.delete(audioKey);
  }
}

/** Reads what was interrupted when the process last ended, one after the other. Never throws. */
export async function finishWaveforms(
  deps: WaveformDeps,
  pool: Pick<PeaksPool, 'readSound'> = sharedPool,
): Promise<void> {
  const unread = await selectUnreadWaveforms(deps.database.db).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'unread waveforms could not be listed');
    return [];
  });
  for (const { seq, audio_key } of unread) await readWaveform(deps, { seq, audioKey: audio_key }, pool);
}

/** Whatever storage it comes from, the thread reads it from a file: it is never in memory as a whole. */
async function readAndKeep(
  deps: WaveformDeps,
  { seq, audioKey }: UnreadSound,
  pool: Pick<PeaksPool, 'readSound'>,
): Promise<void> {
  const { database, storage, temporaryFiles, logger } = deps;
  const file = await temporaryFiles.make(false);
  try {
    for await (const chunk of (await storage.open(toSoundKey(audioKey))) as AsyncIterable<Uint8Array>) {
      await file.append(chunk);
    }
    await file.close();
    // Counted first: decoding may be the last this process does. A storage that fails counts for nothing.
    const begun = await beginReading(database.db, seq);
    if (begun === undefined) return;
    const reading =
      begun.attempts > ATTEMPTS_MAX
        ? ({ state: 'unreadable' } as const)
        : await pool.readSound({ path: file.path }, begun.durationMs);
    if (reading.state === 'read') {
      if (await keepPeaks(database.db, seq, reading)) deps.catalogueChanged();
      return;
    }
    const isGivenUp = reading.state === 'unreadable' || begun.attempts >= ATTEMPTS_MAX;
    if (isGivenUp) await endReading(database.db, seq);
    logger.warn({ audioKey, ...begun, isGivenUp }, 'a sound could not be decoded');
  } finally {
    await file.remove();
  }
}
