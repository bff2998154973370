import type { SoundChange } from '../../../contract/sounds/my-sounds.ts';
import { isId, randomId } from '../../platform/database/statements/random-id.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import type { FormFile } from '../../platform/http/form.ts';
import type { Platform } from '../../platform/http/context.ts';
import { hashPicture, storePicture } from '../../media/pictures/pictures.ts';
import { announceSounds } from '../artists/changes.ts';
import { orRefusePicture } from '../pictures/problems.ts';
import { answerUses, findGivenUses } from '../terms/terms.ts';
import { claimFile } from './file-queries.ts';
import { storeClaimed } from './files.ts';
import {
  findOwnSound,
  lockOwnSound,
  replaceSubGenres,
  selectExistingSubGenres,
  updateSoundRow,
} from './queries.ts';
import { lockOwner, recordChanges } from './recording.ts';
import type { Changer } from './recording.ts';
import { indexSound } from '../catalogue/service.ts';
import { setCorrections } from '../catalogue/features-queries.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { retirePicture } from '../pictures/queries.ts';
import { toFlag } from '../../platform/database/tables/parts.ts';
import { toValueColumns } from './sound-values.ts';

export type ChangeDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'logger' | 'catalogueChanged'>;
/** For changes that their artist may get a mail about. */
export type OwnChangeDeps = ChangeDeps & Pick<Platform, 'siteUrl' | 'siteName'>;

type OwnSound = NonNullable<Awaited<ReturnType<typeof findOwnSound>>>;

/**
 * The sound, if the caller may change it. Throws `Problem` 404, the same for another artist's sound as for a missing
 * one, or 403.
 */
export async function requireEditable(
  { database: { db } }: Pick<ChangeDeps, 'database'>,
  soundId: string,
  artistId: string,
): Promise<void> {
  checkEditable(isId(soundId) ? await findOwnSound(db, soundId, artistId) : undefined);
}

/** Throws `Problem` 404, or 403 to a blocked artist. */
export function checkEditable(sound: OwnSound | undefined): OwnSound {
  if (sound === undefined) throw notFound();
  if (sound.artist_is_blocked === 1) {
    throw new Problem(403, 'アカウントが制限されているため、編集できません。');
  }
  return sound;
}

/** Throws `Problem` 409 if the sound has changed since the given version, a time, was read. */
export function checkVersion(sound: OwnSound, version: string | undefined): OwnSound {
  if (version === undefined || Date.parse(version) === sound.updated_at) return sound;
  throw new Problem(409, 'ほかで変更されたため、そのままにしました。');
}

interface ChangedSound {
  readonly soundId: string;
  readonly changer: Changer;
  /** See `checkVersion`. */
  readonly version?: string | undefined;
}

/**
 * Changes the given fields of an artist's own sound, all or none; public pages are updated at once. A replaced
 * thumbnail is retired: cached pages that refer to it can still show it for a while. Throws `Problem` that names what
 * is wrong, those of `recordChanges`, and `Busy`.
 */
export async function changeSound(
  deps: OwnChangeDeps,
  { soundId, changer, version }: ChangedSound,
  change: SoundChange,
  thumbnail: Pick<FormFile, 'path'> | undefined,
): Promise<void> {
  const artistId = changer.caller.id;
  await requireEditable(deps, soundId, artistId);
  const { db } = deps.database;
  const givenUses = await findGivenUses(deps.database);
  const apply = (thumbnailKey?: string) =>
    db.transaction().execute(async (transaction: Handle) => {
      const owner = await lockOwner(transaction, changer.caller, deps.clock.now());
      const locked = await lockOwnSound(transaction, soundId, artistId);
      const sound = checkVersion(checkEditable(locked), version);
      const by = { ...changer, owner, way: 'edit' as const };
      return recordChanges(transaction, deps, by, [sound.seq], () =>
        applyChange(transaction, { ...deps, givenUses }, sound, change, thumbnailKey),
      );
    });
  const before = await (thumbnail === undefined
    ? apply()
    : withThumbnail(deps, { thumbnail, artistId }, apply));
  if (isSeen(before, change)) await announceSounds(deps, { soundIds: [soundId], artistId });
}

/** Whether public pages show the change. */
export function isSeen(before: OwnSound, change: SoundChange): boolean {
  return before.is_published === 1 || change.is_published === true;
}

/** The picture is stored under a new key, see `replacePicture`. */
async function withThumbnail<Result>(
  deps: ChangeDeps,
  { thumbnail, artistId }: { readonly thumbnail: Pick<FormFile, 'path'>; readonly artistId: string },
  claim: (key: string) => Promise<Result>,
): Promise<Result> {
  const salt = randomId();
  const key = await hashPicture(thumbnail, 'thumbnail', salt);
  const changing = storeClaimed(
    deps,
    { file_key: key, kind: 'thumbnail' },
    () => storePicture(deps.storage, thumbnail, 'thumbnail', salt, artistId),
    () => claim(key),
  );
  return orRefusePicture('thumbnail', changing);
}

export interface ApplyDeps extends ChangeDeps {
  /** The uses that the terms give: an artist's answers for them have no effect. */
  readonly givenUses: readonly string[];
}

/** Changes a locked sound. Throws `Problem` before it writes anything. Returns the sound before the change. */
export async function applyChange(
  transaction: Handle,
  { database, clock, givenUses }: ApplyDeps,
  sound: OwnSound,
  change: SoundChange,
  thumbnailKey?: string,
): Promise<OwnSound> {
  if (change.is_published === true && sound.hidden_reason !== null) {
    throw new Problem(403, { is_published: '運営により非公開になっているため、公開できません。' });
  }
  const subGenres = change.sub_genres && (await findSubGenres(transaction, change.sub_genres));
  if (thumbnailKey !== undefined) {
    if (!(await claimFile(transaction, thumbnailKey))) throw new Problem(409, 'もう一度保存してください。');
    if (sound.thumbnail_key !== null) {
      await retirePicture(transaction, { picture_key: sound.thumbnail_key, kind: 'thumbnail' }, clock.now());
    }
  }
  await updateSoundRow(transaction, sound.seq, {
    ...toValueColumns(change),
    ...(change.is_published !== undefined && { is_published: toFlag(change.is_published), is_withheld: 0 }),
    ...(change.licence_uses && {
      licence_uses: answerUses(sound.licence_uses, givenUses, change.licence_uses),
    }),
    ...(thumbnailKey === undefined ? {} : { thumbnail_key: thumbnailKey }),
    // Each change has its own time, by which a call can say which one it has read.
    updated_at: Math.max(clock.now(), sound.updated_at + 1),
  });
  await setCorrections(transaction, sound.seq, change);
  if (subGenres !== undefined) await replaceSubGenres(transaction, sound.seq, subGenres);
  await indexSound(database, transaction, sound.seq);
  return sound;
}

async function findSubGenres(transaction: Handle, given: readonly string[]): Promise<number[]> {
  const ids = [...new Set(given.map((id) => (/^\d{1,9}$/.test(id) ? Number(id) : -1)))];
  const existing = await selectExistingSubGenres(transaction, ids);
  if (ids.some((id) => !existing.has(id))) {
    throw new Problem(400, { sub_genres: '選んだジャンルが見つかりません。画面を読み込み直してください。' });
  }
  return ids;
}
