import type { SiteFlag, SitePicture } from '../../../contract/operator/site.ts';
import type { PictureKind } from '../../../contract/site/pictures.ts';
import { invalidateCache } from '../../platform/database/statements/cached.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { Platform } from '../../platform/http/context.ts';
import { hashPicture, storePicture } from '../../media/pictures/pictures.ts';
import type { PictureFile } from '../../media/pictures/pictures.ts';
import { deleteRetiredPictureRow, retirePicture } from '../pictures/queries.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { selectSiteConfig, upsertSiteConfig } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

export type SiteDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'catalogueChanged'>;

/** Settings that are pictures, and how each is made. */
export const SITE_PICTURES = {
  navbar_logo: 'logo',
  navbar_sp_logo: 'logo',
  footer_logo: 'logo',
  footer_banner: 'banner',
} as const satisfies Readonly<Record<SitePicture, PictureKind>>;

/** Changes a boolean setting. Throws `Problem` 403. */
export async function setSiteFlag(
  deps: SiteDeps,
  staffId: string,
  setting: SiteFlag,
  isOn: boolean,
): Promise<void> {
  const record: Omit<RecordedAction, 'staffId'> = {
    action: 'set site',
    subject: setting,
    note: isOn ? 'on' : 'off',
  };
  await changeSite(deps, staffId, record, (transaction) =>
    upsertSiteConfig(transaction, { [setting]: isOn }),
  );
}

/**
 * Replaces a picture of the site, or removes it (null). The old one is retired, because cached pages still refer to it.
 * Throws `Problem` 403, `UnusablePictureError`, and `Busy`.
 */
export async function setSitePicture(
  deps: SiteDeps,
  staffId: string,
  setting: SitePicture,
  file: PictureFile | null,
): Promise<void> {
  const { db } = deps.database;
  const kind = SITE_PICTURES[setting];
  await requireStaff(db, staffId);
  const salt = randomId();
  const key = file && (await hashPicture(file, kind, salt));
  if (file !== null && key !== null) {
    // Retired until it is in use, so that a picture left by a crash is deleted like a replaced one.
    await retirePicture(db, { picture_key: key, kind }, deps.clock.now());
    await storePicture(deps.storage, file, kind, salt, staffId);
  }
  const record: Omit<RecordedAction, 'staffId'> = {
    action: 'set site',
    subject: setting,
    note: key ?? 'none',
  };
  await changeSite(deps, staffId, record, async (transaction) => {
    // Otherwise two calls at once would both replace the same picture, and one of theirs would never be deleted.
    await deps.database.takeLock(transaction, 'site pictures');
    const { [setting]: before } = await selectSiteConfig(transaction);
    if (before !== null) await retirePicture(transaction, { picture_key: before, kind }, deps.clock.now());
    if (key !== null) await deleteRetiredPictureRow(transaction, key);
    await upsertSiteConfig(transaction, { [setting]: key });
  });
}

/** Makes the change and its record in one transaction; false, without a record, when `apply` returns false. */
export async function changeSite(
  { database, clock, catalogueChanged }: SiteDeps,
  staffId: string,
  record: Omit<RecordedAction, 'staffId'>,
  apply: (transaction: Handle) => Promise<boolean | void>,
): Promise<boolean> {
  const isChanged = await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    if ((await apply(transaction)) === false) return false;
    await recordAction(transaction, { staffId, ...record }, clock.now());
    return true;
  });
  if (isChanged) {
    invalidateCache(database);
    catalogueChanged();
  }
  return isChanged;
}
