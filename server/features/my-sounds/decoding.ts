import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import type { DecodedSound } from '../../media/audio/decoder.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { repeatInBackground } from '../../platform/concurrency/background-jobs.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { Platform } from '../../platform/http/context.ts';
import { MissingObjectError } from '../../platform/storage/port.ts';
import { announceSounds } from '../artists/changes.ts';
import {
  giveUp,
  leaseUndecoded,
  releaseLease,
  renewLease,
  saveDecoded,
  selectUndecoded,
} from './decoding-queries.ts';
import type { Lease, LeasedSound } from './decoding-queries.ts';
import { decodeInTurn } from './stored-sounds.ts';
import type { DecoderOptions } from './stored-sounds.ts';

export type DecodingDeps = Pick<
  Platform,
  'database' | 'storage' | 'temporaryFiles' | 'clock' | 'logger' | 'catalogueChanged'
>;

interface DecodingOptions extends DecoderOptions {
  readonly pauseShare?: number;
}

/** A sound that crashed its decoder this often is not tried again. */
export const ATTEMPTS_MAX = 3;
/** After a crash, which may be due to a lack of memory. */
export const RETRY_MS = HOUR_MS;
/** Increase it when the decoder improves: sounds that an earlier version gave up on are then tried again. */
export const DECODER_VERSION = 1;
/** A process that has not renewed its lease for this long is assumed dead, and another one starts over. */
export const LEASE_MS = 60_000;
const RENEW_EVERY_MS = LEASE_MS / 3;

const REPETITION = {
  everyMs: 5_000,
  afterFailureMs: 60_000,
  failure: 'failed to decode sounds; trying again in a minute',
};
/** Pause after each sound that is not fresh, as a multiple of the time it took: a quarter of a core at most. */
const PAUSE_SHARE = 3;
const CHANGES_AT_ONCE = 50;
/** A storage that fails this often in a row is left alone for now. */
const FAILURES_MAX = 3;

/** Decodes what waits in the background from now on; returns a function that stops it. */
export function startDecodingQueue(platform: Platform): () => void {
  return repeatInBackground(platform, REPETITION, (ending) => decodeWaiting(platform, { ending }));
}

/** Decodes a newly uploaded sound of `owner` after the reply. */
export function startDecoding(
  deps: DecodingDeps & Pick<Platform, 'backgroundJobs'>,
  seq: number,
  owner: string,
): void {
  deps.backgroundJobs.start((ending) => decodeUpload(deps, seq, { owner, ending }));
}

/** Decodes a sound. Never throws: what fails is tried again by `decodeWaiting`. */
export async function decodeUpload(
  deps: DecodingDeps,
  seq: number,
  options: DecodingOptions = {},
): Promise<void> {
  await decode(deps, seq, options).catch((error: unknown) => {
    deps.logger.warn({ err: error, seq }, 'failed to decode a sound, will retry');
  });
}

/**
 * Decodes what waits, one sound at a time: uploads that were interrupted, then sounds that were stored with a waveform
 * or that lack what a later version measures. Several processes share the work. Returns the number of sounds. Throws
 * when the storage, the database or the start of the decoder fails; a file that the storage refuses does not hold up the others.
 */
export async function decodeWaiting(deps: DecodingDeps, options: DecodingOptions = {}): Promise<number> {
  const { database, clock, catalogueChanged } = deps;
  const { ending, pauseShare = PAUSE_SHARE } = options;
  let sounds = 0;
  let unannounced = 0;
  let failure: { readonly error: unknown } | undefined;
  let failures = 0;
  while (failures < FAILURES_MAX) {
    const began = performance.now();
    const next = await selectUndecoded(database.db, DECODER_VERSION, clock.now());
    if (next === undefined) break;
    try {
      const outcome = await decode(deps, next.sound_seq, options);
      if (outcome === 'stopped') break;
      if (outcome === 'leased by another') continue;
      failures = 0;
      sounds += 1;
      if (next.is_fresh === 0) unannounced += 1;
    } catch (error) {
      failure = { error };
      failures += 1;
    }
    if (next.is_fresh === 1) continue;
    if (unannounced === CHANGES_AT_ONCE) {
      catalogueChanged();
      unannounced = 0;
    }
    const pauseMs = (performance.now() - began) * pauseShare;
    await wait(pauseMs, undefined, { signal: ending }).catch(() => undefined);
  }
  if (unannounced > 0) catalogueChanged();
  if (failure !== undefined) throw failure.error;
  return sounds;
}

type Outcome = 'done' | 'stopped' | 'leased by another';

/** Decodes a sound when its turn comes. Throws when the storage, the database or the start of the decoder fails. */
function decode(deps: DecodingDeps, seq: number, options: DecodingOptions): Promise<Outcome> {
  const { db } = deps.database;
  const { clock, logger } = deps;
  return decodeInTurn(deps, options, async (decodeStored) => {
    if (options.ending?.aborted) return 'stopped';
    const lease = { seq, leaseId: randomId() };
    const nowMs = clock.now();
    const times = { nowMs, untilMs: nowMs + LEASE_MS };
    const sound = await leaseUndecoded(db, lease, DECODER_VERSION, times);
    if (sound === undefined) return 'leased by another';
    const { audioKey, attempts } = sound;
    const renewing = setInterval(() => {
      renewLease(db, lease, clock.now() + LEASE_MS).catch((error: unknown) => {
        logger.warn({ err: error, audioKey }, 'failed to renew the lease of a sound');
      });
    }, RENEW_EVERY_MS);
    renewing.unref();
    try {
      const result = await decodeStored({ ...sound, objectKey: toSoundKey(audioKey) });
      if (result.state === 'stopped' && !options.ending?.aborted) {
        throw new Error('the decoder could not be started');
      }
      return await storeResult(deps, lease, sound, result);
    } catch (error) {
      if (!(error instanceof MissingObjectError)) {
        // The storage, the database or the machine failed, not the sound.
        await releaseLease(db, lease, attempts, clock.now() + LEASE_MS);
        throw error;
      }
      // Retrying cannot restore a missing file. The row of a sound that was deleted meanwhile is gone as well.
      const isMissing = await giveUp(db, lease, attempts, DECODER_VERSION);
      if (isMissing) logger.error({ audioKey }, 'sound file is missing');
      return 'done';
    } finally {
      clearInterval(renewing);
    }
  });
}

async function storeResult(
  deps: DecodingDeps,
  lease: Lease,
  { audioKey, attempts, isFresh }: LeasedSound,
  result: DecodedSound,
): Promise<Outcome> {
  const { database, clock, logger } = deps;
  const { db } = database;
  if (result.state === 'decoded') {
    const sound = await saveDecoded(database, lease.seq, result);
    if (isFresh && sound?.is_published === 1)
      await announceSounds(deps, { soundIds: [sound.id], artistId: sound.artist_id });
    return 'done';
  }
  if (result.state === 'stopped') {
    await releaseLease(db, lease, attempts, null);
    return 'stopped';
  }
  const counted = result.state === 'interrupted' ? attempts + 1 : attempts;
  if (result.state === 'unreadable' || counted >= ATTEMPTS_MAX) {
    await giveUp(db, lease, counted, DECODER_VERSION);
    logger.warn({ audioKey, attempts: counted }, 'failed to decode a sound, giving up');
    return 'done';
  }
  await releaseLease(db, lease, counted, clock.now() + RETRY_MS);
  logger.warn({ audioKey, attempts: counted }, 'failed to decode a sound, will retry');
  return 'done';
}
