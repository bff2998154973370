import type { Transaction } from 'kysely';
import type { PictureKind } from '../../../contract/pictures.ts';
import { invalidateCache, randomId } from '../../platform/database/database.ts';
import type { Schema } from '../../platform/database/database.ts';
import { notFound } from '../../platform/http/http.ts';
import type { Platform } from '../../platform/http/http.ts';
import { hashPicture, storePicture } from '../../media/pictures.ts';
import { deleteRetiredPictureRow, retirePicture } from '../pictures/pictures.ts';
import { recordAction, requireStaff } from '../staff/staff.ts';
import { deletePage, findPageRow, selectSiteConfig, upsertPage, upsertSiteConfig } from './queries.ts';

type SiteDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'catalogueChanged'>;

/** Settings that are pictures, and how each is made. */
export const SITE_PICTURES = {
  navbar_logo: 'logo',
  navbar_sp_logo: 'logo',
  footer_logo: 'logo',
  footer_banner: 'banner',
} as const satisfies Readonly<Record<string, PictureKind>>;
export type SitePicture = keyof typeof SITE_PICTURES;

/** Boolean settings. */
export const SITE_FLAGS = ['maintenance_mode', 'allow_register'] as const;
export type SiteFlag = (typeof SITE_FLAGS)[number];

/** Changes a boolean setting. Throws `Problem` 403. */
export async function setSiteFlag(
  deps: SiteDeps,
  staffId: string,
  setting: SiteFlag,
  isOn: boolean,
): Promise<void> {
  const record = { action: 'set site', subject: setting, note: isOn ? 'on' : 'off' };
  await change(deps, staffId, record, (transaction) => upsertSiteConfig(transaction, { [setting]: isOn }));
}

/**
 * Replaces a picture of the site, or removes it (null). The old one is retired, because cached pages still refer to it.
 * Throws `Problem` 403, and `UnusablePictureError`.
 */
export async function setSitePicture(
  deps: SiteDeps,
  staffId: string,
  setting: SitePicture,
  bytes: Uint8Array | null,
): Promise<void> {
  const { db } = deps.database;
  const kind = SITE_PICTURES[setting];
  await requireStaff(db, staffId);
  const salt = randomId();
  const key = bytes && hashPicture(bytes, kind, salt);
  if (bytes !== null && key !== null) {
    // Retired until it is in use, so that a picture left by a crash is deleted like a replaced one.
    await retirePicture(db, { picture_key: key, kind }, deps.clock.now());
    await storePicture(deps.storage, bytes, kind, salt);
  }
  const record = { action: 'set site', subject: setting, note: key ?? 'none' };
  await change(deps, staffId, record, async (transaction) => {
    const { [setting]: before } = await selectSiteConfig(transaction);
    if (before !== null) await retirePicture(transaction, { picture_key: before, kind }, deps.clock.now());
    if (key !== null) await deleteRetiredPictureRow(transaction, key);
    await upsertSiteConfig(transaction, { [setting]: key });
  });
}

export interface PageChange {
  /** Markdown; when absent, the current body is kept. */
  readonly body?: string | undefined;
  readonly title?: string | undefined;
  readonly order?: number | undefined;
}

/**
 * Creates a page, or changes the given parts of the one with this slug. Returns false and changes nothing when it is
 * new and lacks a title or a body. Throws `Problem` 403.
 */
export async function changePage(
  deps: SiteDeps,
  staffId: string,
  slug: string,
  { body, title, order }: PageChange,
): Promise<boolean> {
  const record = { action: 'save page', subject: slug, note: title ?? '' };
  return change(deps, staffId, record, async (transaction) => {
    const before = await findPageRow(transaction, slug);
    const page = { title: title ?? before?.title, body: body ?? before?.body };
    if (page.title === undefined || page.body === undefined) return false;
    await upsertPage(transaction, {
      slug,
      title: page.title,
      body: page.body,
      position: order ?? before?.position ?? 0,
      is_listed: before?.is_listed ?? 1,
      updated_at: deps.clock.now(),
    });
    return true;
  });
}

/** Throws `Problem` 403, 404. */
export async function removePage(deps: SiteDeps, staffId: string, slug: string): Promise<void> {
  await change(deps, staffId, { action: 'remove page', subject: slug }, async (transaction) => {
    if (!(await deletePage(transaction, slug))) throw notFound();
  });
}

/** Makes the change and its record in one transaction; false, without a record, when `apply` returns false. */
async function change(
  { database, clock, catalogueChanged }: SiteDeps,
  staffId: string,
  record: { readonly action: string; readonly subject: string; readonly note?: string },
  apply: (transaction: Transaction<Schema>) => Promise<boolean | void>,
): Promise<boolean> {
  const isChanged = await database.db.transaction().execute(async (transaction) => {
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
