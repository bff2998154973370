import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/http/http.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { createPeaksPool } from '../../media/peaks.ts';
import type { PeaksPool, SoundReading } from '../../media/peaks.ts';
import { MissingObjectError } from '../../platform/storage/storage.ts';
import type { TemporaryFile } from '../../platform/storage/storage.ts';
import { createSemaphore } from '../../platform/concurrency/concurrency.ts';
import { announceSound } from '../artists/artists.ts';
import { leaseUnreadWaveforms, markUnreadable, releaseLease, renewLease } from '../catalogue/catalogue.ts';
import type { Lease } from '../catalogue/catalogue.ts';
import { savePeaks, selectUnreadWaveforms } from './queries.ts';

export type WaveformDeps = Pick<
  Platform,
  'database' | 'storage' | 'temporaryFiles' | 'clock' | 'logger' | 'catalogueChanged'
>;

interface UnreadSound {
  readonly seq: number;
  readonly audioKey: string;
}

export interface ReadingOptions {
  readonly pool?: Pick<PeaksPool, 'readSound'>;
  /** Aborted when the process is about to end; the sound then stays unread for the next process. */
  readonly ending?: AbortSignal;
}

/** A sound that crashed its decoder this often is not tried again. */
export const ATTEMPTS_MAX = 3;
/** Increase it when the decoder improves: sounds that an earlier version gave up on are then tried again. */
export const DECODER_VERSION = 1;
/** A process that has not renewed its lease for this long is assumed dead, and another one starts over. */
export const LEASE_MS = 60_000;
const RENEW_EVERY_MS = LEASE_MS / 3;

/** One at a time: decoding an hour of sound occupies a core for a while, and no call waits for it. */
const semaphore = createSemaphore(1, Infinity);
const sharedPool = createPeaksPool(1);
/** Keys of files that are queued or being decoded. */
const underWay = new Set<string>();

/** Decodes the waveform of a newly uploaded sound after the reply. */
export function startReading(
  deps: WaveformDeps & Pick<Platform, 'backgroundJobs'>,
  sound: UnreadSound,
): void {
  deps.backgroundJobs.start((ending) => readWaveform(deps, sound, { ending }));
}

/** Decodes the waveform of a stored sound and measures the findings for its artist. Never throws. */
export async function readWaveform(
  deps: WaveformDeps,
  sound: UnreadSound,
  options: ReadingOptions = {},
): Promise<void> {
  const { audioKey } = sound;
  if (underWay.has(audioKey)) return;
  underWay.add(audioKey);
  try {
    await semaphore.run(() => readAndKeep(deps, sound, options));
  } catch (error) {
    // It stays recorded and is tried again.
    deps.logger.warn({ err: error, audioKey }, 'failed to read a waveform');
  } finally {
    underWay.delete(audioKey);
  }
}

/**
 * Decodes what was interrupted when a process last ended, one sound at a time, and a minute later what a killed process
 * still held. Never throws.
 */
export async function finishWaveforms(deps: WaveformDeps, options: ReadingOptions = {}): Promise<void> {
  const isWaiting = await readUnread(deps, options);
  if (!isWaiting || options.ending === undefined) return;
  const isOver = await sleep(LEASE_MS, true, { signal: options.ending, ref: false }).catch(() => false);
  if (isOver) await readUnread(deps, options);
}

/** Whether another process holds some of them. */
async function readUnread(deps: WaveformDeps, options: ReadingOptions): Promise<boolean> {
  const unread = await selectUnreadWaveforms(deps.database.db, DECODER_VERSION).catch((error: unknown) => {
    deps.logger.warn({ err: error }, 'failed to list unread waveforms');
    return [];
  });
  for (const { seq, audio_key } of unread) await readWaveform(deps, { seq, audioKey: audio_key }, options);
  return unread.some(({ leased_until }) => leased_until !== null);
}

async function readAndKeep(deps: WaveformDeps, sound: UnreadSound, options: ReadingOptions): Promise<void> {
  if (options.ending?.aborted) return;
  const { database, clock, temporaryFiles, logger } = deps;
  const { db } = database;
  const lease = { seq: sound.seq, leaseId: randomId() };
  const nowMs = clock.now();
  const leased = await leaseUnreadWaveforms(db, lease, DECODER_VERSION, { nowMs, untilMs: nowMs + LEASE_MS });
  if (leased === undefined) return;
  const renewing = setInterval(() => {
    renewLease(db, lease, clock.now() + LEASE_MS).catch((error: unknown) => {
      logger.warn({ err: error, audioKey: sound.audioKey }, 'failed to renew a waveform lease');
    });
  }, RENEW_EVERY_MS);
  renewing.unref();
  let file: TemporaryFile | undefined;
  try {
    file = await temporaryFiles.make(false, leased.audioSize);
    const isCopied = await copyStored(deps, toSoundKey(sound.audioKey), file, options.ending);
    if (isCopied) await decodeAndKeep(deps, { ...sound, ...leased, lease, path: file.path }, options);
    else await releaseLease(db, lease, leased.attempts);
  } catch (error) {
    if (error instanceof MissingObjectError) {
      // Retrying cannot restore a missing file. The row of a sound that was deleted meanwhile is gone as well.
      const isMissing = await markUnreadable(db, lease, DECODER_VERSION, leased.attempts);
      if (isMissing) logger.error({ audioKey: sound.audioKey }, 'sound file is missing');
      return;
    }
    // The storage or database failed, not the sound.
    await releaseLease(db, lease, leased.attempts);
    throw error;
  } finally {
    clearInterval(renewing);
    await file?.remove();
  }
}

/** Any stored sound, by its storage key. */
export interface StoredSound {
  readonly objectKey: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
}

/**
 * Decodes a stored sound in the process that decodes waveforms, after those before it. Returns undefined if the process
 * is about to end. Throws `MissingObjectError`, and when the storage fails.
 */
export function readStoredSound(
  deps: Pick<WaveformDeps, 'storage' | 'temporaryFiles'>,
  { objectKey, sizeBytes, durationMs }: StoredSound,
  ending?: AbortSignal,
): Promise<SoundReading | undefined> {
  return semaphore.run(async () => {
    const file = await deps.temporaryFiles.make(false, sizeBytes);
    try {
      if (!(await copyStored(deps, objectKey, file, ending))) return undefined;
      return await sharedPool.readSound({ path: file.path }, durationMs, ending);
    } finally {
      await file.remove();
    }
  });
}

/**
 * Copies the sound to a file for the decoder thread, from any storage, without holding it all in memory. Returns
 * whether the copy is complete; it is not if the process is about to end.
 */
async function copyStored(
  { storage }: Pick<WaveformDeps, 'storage'>,
  objectKey: string,
  file: TemporaryFile,
  ending: AbortSignal | undefined,
): Promise<boolean> {
  for await (const chunk of (await storage.open(objectKey)) as AsyncIterable<Uint8Array>) {
    if (ending?.aborted) return false;
    await file.append(chunk);
  }
  await file.close();
  return !ending?.aborted;
}

interface Decoding extends UnreadSound {
  readonly lease: Lease;
  /** How many times this sound has crashed its decoder. */
  readonly attempts: number;
  readonly durationMs: number;
  readonly path: string;
}

async function decodeAndKeep(
  deps: WaveformDeps,
  { seq, audioKey, lease, attempts, durationMs, path }: Decoding,
  { pool = sharedPool, ending }: ReadingOptions,
): Promise<void> {
  const { db } = deps.database;
  const reading = await pool.readSound({ path }, durationMs, ending);
  if (reading.state === 'read') {
    const sound = await savePeaks(deps.database, seq, reading);
    if (sound?.is_published === 1)
      await announceSound(deps, { soundId: sound.id, artistId: sound.artist_id });
    return;
  }
  const counted = reading.state === 'interrupted' ? attempts + 1 : attempts;
  if (reading.state === 'unreadable' || counted >= ATTEMPTS_MAX) {
    await markUnreadable(db, lease, DECODER_VERSION, counted);
    deps.logger.warn({ audioKey, attempts: counted }, 'failed to decode a sound, giving up');
    return;
  }
  await releaseLease(db, lease, counted);
  if (reading.state === 'interrupted') {
    deps.logger.warn({ audioKey, attempts: counted }, 'failed to decode a sound, will retry');
  }
}
