import type { PictureKind } from '../../../contract/site/pictures.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { FormFile } from '../../platform/http/form.ts';
import type { Platform } from '../../platform/http/context.ts';
import { storePicture } from '../../media/pictures/pictures.ts';
import { BLOCKED_PROBLEM } from '../staff/reasons.ts';
import { announcePicture } from '../artists/changes.ts';
import { replacePictureKey } from './queries.ts';
import type { PictureColumn } from './queries.ts';

export type PictureDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'catalogueChanged'>;

/** The column of each kind of picture. */
const COLUMNS = { avatar: 'picture_key', background: 'background_key' } as const satisfies Partial<
  Record<PictureKind, PictureColumn>
>;
export type MemberPictureKind = keyof typeof COLUMNS;

/**
 * Makes a file a member's picture and returns its key. The old one is retired: cached pages that refer to it can still
 * show it for a while. Throws `Problem` 403 for a blocked member, `UnusablePictureError`, and `Busy`.
 */
export async function replacePicture(
  deps: PictureDeps,
  userId: string,
  kind: MemberPictureKind,
  file: Pick<FormFile, 'path'>,
): Promise<string> {
  // Random rather than derived from the bytes: re-uploading a picture must not collide with the deletion of its first
  // copy.
  const salt = `${userId} ${randomId()}`;
  const key = await storePicture(deps.storage, file, kind, salt, userId);
  const picture = { kind, column: COLUMNS[kind], key };
  const isReplaced = await replacePictureKey(deps.database, userId, picture, deps.clock.now());
  if (!isReplaced) throw new Problem(403, BLOCKED_PROBLEM);
  await announcePicture(deps, userId);
  return key;
}
