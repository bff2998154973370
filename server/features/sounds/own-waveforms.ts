import type { ApiDeps } from '../../http/context.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { createPeaksPool } from '../../media/peaks.ts';
import type { PeaksPool } from '../../media/peaks.ts';
import { MissingObjectError } from '../../ports/storage.ts';
import type { TemporaryFile } from '../../ports/temporary-files.ts';
import { createTurns } from '../../ports/turns.ts';
import { beginReading, endReading, findUnread, giveBackReading } from './findings-queries.ts';
import { keepPeaks, selectUnreadWaveforms } from './own-queries.ts';

export type WaveformDeps = Pick<
  ApiDeps,
  'database' | 'storage' | 'temporaryFiles' | 'logger' | 'catalogueChanged'
>;

interface UnreadSound {
  readonly seq: number;
  readonly audioKey: string;
}

export interface ReadingOptions {
  readonly pool?: Pick<PeaksPool, 'readSound'>;
  /** Aborted when the process is about to end: then a sound is left as it was found, for the next one. */
  readonly ending?: AbortSignal;
}

/** A sound that took its thread, or even its process, along so often is left as it is. */
export const ATTEMPTS_MAX = 3;

/** One at a time: an hour of sound takes a core for a while, and nobody waits for it. */
const turns = createTurns(1, Infinity);
const sharedPool = createPeaksPool(1);
/** Keys of files that are waiting for their turn, or have it. */
const underWay = new Set<string>();

/** Reads the waveform of a sound that has just been uploaded, once its call is answered. */
export function startReading(deps: WaveformDeps & Pick<ApiDeps, 'afterwork'>, sound: UnreadSound): void {
  deps.afterwork.start((ending) => readWaveform(deps, sound, { ending }));
}

/** Reads the waveform of a stored sound and measures what its artist should know. Never throws. */
export async function readWaveform(
  deps: WaveformDeps,
  sound: UnreadSound,
  options: ReadingOptions = {},
): Promise<void> {
  const { audioKey } = sound;
  if (underWay.has(audioKey)) return;
  underWay.add(audioKey);
  try {
    await turns.take(() => readAndKeep(deps, sound, options));
  } catch (error) {
    // It stays noted and is tried again.
    deps.logger.warn({ err: error, audioKey }, 'a waveform could not be read');
  } finally {
    underWay.delete(audioKey);
  }
}

/** Reads what was interrupted when the process last ended, one after the other. Never throws. */
export async function finishWaveforms(deps: WaveformDeps, options: ReadingOptions = {}): Promise<void> {
  const unread = await selectUnreadWaveforms(deps.database.db).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'unread waveforms could not be listed');
    return [];
  });
  for (const { seq, audio_key } of unread) await readWaveform(deps, { seq, audioKey: audio_key }, options);
}

async function readAndKeep(deps: WaveformDeps, sound: UnreadSound, options: ReadingOptions): Promise<void> {
  const { seq, audioKey } = sound;
  const { database, temporaryFiles, logger } = deps;
  if (options.ending?.aborted) return;
  const note = await findUnread(database.db, seq);
  if (note === undefined) return;
  if (note.attempts >= ATTEMPTS_MAX) return giveUp(deps, sound, note.attempts);
  const file = await temporaryFiles.make(false, note.audio_size);
  try {
    const isCopied = await copyStored(deps, audioKey, file, options.ending);
    if (isCopied) await decodeAndKeep(deps, sound, file, options);
  } catch (error) {
    if (!(error instanceof MissingObjectError)) throw error;
    // Trying again would bring nothing back. Who deleted the sound meanwhile has taken the note along.
    if (await endReading(database.db, seq)) logger.error({ audioKey }, 'the file of a sound is missing');
  } finally {
    await file.remove();
  }
}

/**
 * Whatever storage it comes from, the thread reads it from a file: it is never in memory as a whole.
 * Whether all of it is there; not when the process is about to end.
 */
async function copyStored(
  { storage }: WaveformDeps,
  audioKey: string,
  file: TemporaryFile,
  ending: AbortSignal | undefined,
): Promise<boolean> {
  for await (const chunk of (await storage.open(toSoundKey(audioKey))) as AsyncIterable<Uint8Array>) {
    if (ending?.aborted) return false;
    await file.append(chunk);
  }
  await file.close();
  return !ending?.aborted;
}

async function decodeAndKeep(
  deps: WaveformDeps,
  sound: UnreadSound,
  { path }: TemporaryFile,
  { pool = sharedPool, ending }: ReadingOptions,
): Promise<void> {
  const { db } = deps.database;
  // Counted first: decoding may be the last this process does. A storage that fails counts for nothing.
  const begun = await beginReading(db, sound.seq);
  if (begun === undefined) return;
  const reading = await pool.readSound({ path }, begun.durationMs, ending);
  if (reading.state === 'read') {
    if (await keepPeaks(db, sound.seq, reading)) deps.catalogueChanged();
  } else if (reading.state === 'interrupted' && ending?.aborted) {
    await giveBackReading(db, sound.seq);
  } else if (reading.state === 'unreadable' || begun.attempts >= ATTEMPTS_MAX) {
    await giveUp(deps, sound, begun.attempts);
  } else {
    deps.logger.warn({ audioKey: sound.audioKey, ...begun }, 'a sound could not be decoded, yet');
  }
}

async function giveUp(deps: WaveformDeps, { seq, audioKey }: UnreadSound, attempts: number): Promise<void> {
  await endReading(deps.database.db, seq);
  deps.logger.warn({ audioKey, attempts }, 'a sound could not be decoded and is left as it is');
}
