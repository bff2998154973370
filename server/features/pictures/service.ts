import type { PictureKind } from '../../../contract/pictures.ts';
import { randomId } from '../../database/random-id.ts';
import type { ApiDeps } from '../../http/context.ts';
import type { FormFile } from '../../http/form.ts';
import { deletePicture, pictureTurns, storePicture } from '../../media/pictures.ts';
import { replacePictureKey } from './queries.ts';
import type { PictureColumn } from './queries.ts';

export type PictureDeps = Pick<ApiDeps, 'database' | 'storage' | 'logger' | 'catalogueChanged'>;

/** Where each kind of a member's pictures stands. */
const COLUMNS = { avatar: 'picture_key', background: 'background_key' } as const satisfies Partial<
  Record<PictureKind, PictureColumn>
>;
export type MemberPictureKind = keyof typeof COLUMNS;

/**
 * Makes a file a member's picture and returns its key. The old one is deleted last: a crash on the
 * way leaves at most a picture that nobody refers to. Throws `UnusablePictureError`, and `Busy`.
 */
export async function replacePicture(
  deps: PictureDeps,
  userId: string,
  kind: MemberPictureKind,
  file: Pick<FormFile, 'read'>,
): Promise<string> {
  // Random, not of the bytes: a picture that comes back must not meet the deletion of its first copy.
  const salt = `${userId} ${randomId()}`;
  const key = await pictureTurns.take(async () => storePicture(deps.storage, await file.read(), kind, salt));
  const before = await replacePictureKey(deps.database, userId, COLUMNS[kind], key);
  deps.catalogueChanged();
  if (before !== null) await remove(deps, before, kind);
  return key;
}

/** What cannot be deleted now is in nobody's way: the call has done what it was asked for. */
async function remove({ storage, logger }: PictureDeps, key: string, kind: MemberPictureKind): Promise<void> {
  await deletePicture(storage, key, kind).catch((error: unknown) =>
    logger.error({ err: error, key }, 'a replaced picture could not be deleted'),
  );
}
