import type { ApiDeps } from '../../http/context.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { createPeaksPool } from '../../media/peaks.ts';
import { createTurns } from '../../ports/turns.ts';
import { keepPeaks, selectUnreadWaveforms } from './own-queries.ts';

export type WaveformDeps = Pick<
  ApiDeps,
  'database' | 'storage' | 'temporaryFiles' | 'logger' | 'catalogueChanged'
>;

/** One at a time: an hour of sound takes a core for a while, and nobody waits for it. */
const turns = createTurns(1, Infinity);
const pool = createPeaksPool(1);
/** Keys of files that are waiting for their turn, or have it. */
const underWay = new Set<string>();

/** Reads the waveform of a stored sound, after the call that uploaded it is answered. Never throws. */
export async function readWaveform(
  deps: WaveformDeps,
  { seq, audioKey }: { readonly seq: number; readonly audioKey: string },
): Promise<void> {
  if (underWay.has(audioKey)) return;
  underWay.add(audioKey);
  try {
    const peaks = await turns.take(() => readPeaks(deps, audioKey));
    const isPublic = await keepPeaks(deps.database.db, seq, peaks);
    if (isPublic) deps.catalogueChanged();
  } catch (error) {
    // It stays noted and is tried again.
    deps.logger.warn({ err: error, audioKey }, 'a waveform could not be read');
  } finally {
    underWay.delete(audioKey);
  }
}

/** Reads what was interrupted when the process last ended, one after the other. Never throws. */
export async function finishWaveforms(deps: WaveformDeps): Promise<void> {
  const unread = await selectUnreadWaveforms(deps.database.db).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'unread waveforms could not be listed');
    return [];
  });
  for (const { seq, audio_key } of unread) await readWaveform(deps, { seq, audioKey: audio_key });
}

/** Whatever storage it comes from, the thread reads it from a file: it is never in memory as a whole. */
async function readPeaks({ storage, temporaryFiles }: WaveformDeps, audioKey: string): Promise<string> {
  const file = await temporaryFiles.make(false);
  try {
    for await (const chunk of (await storage.open(toSoundKey(audioKey))) as AsyncIterable<Uint8Array>) {
      await file.append(chunk);
    }
    await file.close();
    return await pool.readPeaks({ path: file.path });
  } finally {
    await file.remove();
  }
}
