import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { FLAT_PEAKS } from '../../../contract/sounds/peaks.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { FormFile } from '../../platform/http/form.ts';
import { findAudioTitle } from '../../media/audio/titles.ts';
import { withCleanAudio } from '../../media/audio/audio.ts';
import type { CleanAudio } from '../../media/audio/audio.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { claimFile } from './file-queries.ts';
import { storeClaimed } from './files.ts';
import type { FileDeps } from './files.ts';
import {
  findOthersWithContent,
  findOwnWithContent,
  findUploader,
  insertCopy,
  isSoundType,
  lockContent,
  lockUploader,
  selectTitles,
  sumSounds,
} from './queries.ts';
import { addSound } from '../catalogue/service.ts';
import type { NewSound } from '../catalogue/service.ts';
import {
  duplicate,
  rejectUnusableAudio,
  refuseAboveQuota,
  refuseTooLong,
  refuseUploader,
} from './upload-problems.ts';
import { suggestTitles } from './upload-title.ts';
import type { Handle } from '../../platform/database/handle.ts';

type UntitledSound = Omit<NewSound, 'title'> & { readonly filename: string };

const SHORT_BYTES_MAX = 16 * 1024;

export interface Upload {
  readonly artistId: string;
  /** A sound type's id. */
  readonly type: string;
  readonly file: Pick<FormFile, 'path'>;
  /** Safe for display. */
  readonly filename: string;
  /** Runs in the sound's transaction; if it throws, the sound is not added. */
  readonly note?: (transaction: Handle, soundId: string) => Promise<void>;
}

/**
 * Throws `Problem` for a member who may not send this request now: 403, or 409 when there is no room left for the file
 * in it. A short request contains no file, but may name an upload that already became a sound.
 */
export async function requireUploader(
  { database: { db } }: FileDeps,
  userId: string,
  { headers }: Request,
): Promise<void> {
  refuseUploader(await findUploader(db, userId));
  const isShort = Number(headers.get('content-length') ?? Infinity) <= SHORT_BYTES_MAX;
  if (!isShort) refuseAboveQuota(await sumSounds(db, userId), 0);
}

/**
 * Makes an uploaded file a private sound of an artist and returns its address. Stores only the sound, without tags,
 * under a key of this upload, so that it can be deleted without checking whether others have the same file. Throws
 * `Problem` that names what is wrong, and `Busy`.
 */
export async function uploadSound(
  deps: FileDeps,
  upload: Upload,
): Promise<{ readonly id: string; readonly seq: number }> {
  const { database, storage } = deps;
  const typeId = await findTypeId(deps, upload.type);
  const tagged = await findAudioTitle(upload.file);
  const adding = withCleanAudio(
    upload.file,
    async (audio) => {
      refuseTooLong(audio.facts);
      await refuseDuplicate(database.db, upload.artistId, audio.hash);
      const id = randomId();
      const audioKey = createHash('sha256').update(`${id}\n${audio.hash}`).digest('hex');
      const sound: UntitledSound = {
        ...toRow(audio, audioKey),
        artist_id: upload.artistId,
        type_id: typeId,
        filename: upload.filename,
        is_published: false,
        created_at: deps.clock.now(),
      };
      const { seq } = await storeClaimed(
        deps,
        { file_key: audioKey, kind: 'sound' },
        () => storage.put(toSoundKey(audioKey), Readable.from(audio.bytes(), { highWaterMark: 1 })),
        () => accept(deps, id, sound, { ...upload, tagged, hash: audio.hash }),
      );
      return { id, seq };
    },
    upload.artistId,
  );
  return rejectUnusableAudio(adding);
}

async function findTypeId({ database: { db } }: FileDeps, type: string): Promise<number> {
  const id = /^\d{1,9}$/.test(type) ? Number(type) : undefined;
  if (id === undefined || !(await isSoundType(db, id))) {
    throw new Problem(400, { types: 'サウンドの種類を1つ選んでください。' });
  }
  return id;
}

function toRow({ facts, gapsMs, sizeBytes, hash }: CleanAudio, audioKey: string) {
  return {
    audio_key: audioKey,
    audio_mime: facts.mime,
    audio_size: sizeBytes,
    content_hash: hash,
    duration_ms: facts.durationMs,
    bit_rate: facts.bitRateKbps,
    sample_rate: facts.sampleRateHz,
    peaks: FLAT_PEAKS,
    gaps_ms: gapsMs.length > 0 ? JSON.stringify(gapsMs) : null,
  };
}

/** Repeats the checks made before the file was stored, while other uploads of the artist wait. */
async function accept(
  deps: FileDeps,
  id: string,
  sound: UntitledSound,
  { tagged, hash, note }: Pick<Upload, 'note'> & { readonly tagged: string; readonly hash: string },
): Promise<{ seq: number }> {
  const { database } = deps;
  return database.db.transaction().execute(async (transaction: Handle) => {
    refuseUploader(await lockUploader(transaction, sound.artist_id));
    await lockContent(transaction, database, hash);
    refuseAboveQuota(await sumSounds(transaction, sound.artist_id), sound.audio_size);
    await refuseDuplicate(transaction, sound.artist_id, hash);
    if (!(await claimFile(transaction, sound.audio_key))) {
      throw new Problem(409, 'もう一度アップロードしてください。');
    }
    const title = await chooseTitle(transaction, tagged, sound);
    const { seq } = await addSound(database, transaction, id, { ...sound, title, is_fresh: true });
    await note?.(transaction, id);
    await recordCopy(deps, transaction, { id, artistId: sound.artist_id, hash });
    return { seq };
  });
}

/** A title that no other sound of the artist has: cards with equal titles cannot be distinguished. */
async function chooseTitle(
  transaction: Handle,
  tagged: string,
  { artist_id, filename }: UntitledSound,
): Promise<string> {
  const taken = await selectTitles(transaction, artist_id);
  return suggestTitles(tagged, filename).find((title) => title === '' || !taken.has(title)) ?? '';
}

async function refuseDuplicate(db: Handle, artistId: string, hash: string): Promise<void> {
  const same = await findOwnWithContent(db, artistId, hash);
  if (same !== undefined) throw duplicate(same);
}

/** The file may be stolen, or both artists may have the same licence; the operator decides. */
async function recordCopy(
  { clock, logger }: FileDeps,
  transaction: Handle,
  { id, artistId, hash }: { readonly id: string; readonly artistId: string; readonly hash: string },
): Promise<void> {
  const original = await findOthersWithContent(transaction, artistId, hash);
  if (original === undefined) return;
  const copy = {
    sound_id: id,
    artist_id: artistId,
    original_id: original.id,
    original_artist_id: original.artist_id,
    noted_at: clock.now(),
  };
  await insertCopy(transaction, copy);
  logger.warn({ copy }, "upload has the same content as another artist's sound");
}
