import { HOUR_MS } from '../../../contract/values/time-units.ts';
import type { Platform } from '../../platform/http/context.ts';
import { deletePicture } from '../../media/pictures/pictures.ts';
import { isFileUsed } from '../catalogue/queries.ts';
import { deleteRetiredPictureRow, selectRetired } from './queries.ts';

/** Longer than any of our caches keeps a page that refers to a picture. */
const RETENTION_MS = HOUR_MS;
const AT_ONCE = 500;

/** Deletes pictures that were replaced a while ago; failures are retried the next time. */
export async function deleteRetiredPictures({
  database,
  storage,
  clock,
  logger,
}: Pick<Platform, 'database' | 'storage' | 'clock' | 'logger'>): Promise<void> {
  const retired = await selectRetired(database.db, clock.now() - RETENTION_MS, AT_ONCE);
  for (const { picture_key, kind } of retired) {
    try {
      // Pictures of the demo may belong to several sounds; uploads have their own.
      const isShared = kind === 'thumbnail' && (await isFileUsed(database.db, kind, picture_key));
      if (!isShared) await deletePicture(storage, picture_key, kind);
      await deleteRetiredPictureRow(database.db, picture_key);
    } catch (error) {
      logger.error({ err: error, key: picture_key }, 'failed to delete a replaced picture');
    }
  }
}
