import type { Insertable } from 'kysely';
import { changesRows } from '../../platform/database/statements/outcomes.ts';
import type { ExtraPagesTable, Db } from './tables.ts';

/** The operator's settings; pictures are storage keys, null for none. */
export interface SiteSettings {
  readonly navbar_logo: string | null;
  readonly navbar_sp_logo: string | null;
  readonly footer_logo: string | null;
  readonly footer_banner: string | null;
  readonly maintenance_mode: boolean;
  readonly allow_register: boolean;
}

export async function selectSiteConfig(db: Db): Promise<SiteSettings> {
  const row = await db.selectFrom('site_config').selectAll().where('id', '=', 1).executeTakeFirst();
  return {
    navbar_logo: row?.navbar_logo ?? null,
    navbar_sp_logo: row?.navbar_sp_logo ?? null,
    footer_logo: row?.footer_logo ?? null,
    footer_banner: row?.footer_banner ?? null,
    maintenance_mode: row?.maintenance_mode === 1,
    allow_register: row?.allow_register !== 0,
  };
}

export async function selectListedPages(db: Db) {
  const rows = await db
    .selectFrom('extra_pages')
    .select(['slug', 'title', 'position as order'])
    .where('is_listed', '=', 1)
    .execute();
  // Sorted here because databases compare text differently.
  return rows.sort((a, b) => a.order - b.order || (a.slug < b.slug ? -1 : 1));
}

export function findPageBySlug(db: Db, slug: string) {
  return db
    .selectFrom('extra_pages')
    .select(['slug', 'title', 'body'])
    .where('slug', '=', slug)
    .executeTakeFirst();
}

export async function upsertSiteConfig(db: Db, changes: Partial<SiteSettings>): Promise<void> {
  const { maintenance_mode, allow_register, ...pictures } = changes;
  const values = {
    ...pictures,
    ...(maintenance_mode !== undefined && {
      maintenance_mode: maintenance_mode ? (1 as const) : (0 as const),
    }),
    ...(allow_register !== undefined && { allow_register: allow_register ? (1 as const) : (0 as const) }),
  };
  const query = db.insertInto('site_config').values({ id: 1, ...values });
  const isEmpty = Object.keys(values).length === 0;
  await query.onConflict((on) => (isEmpty ? on.doNothing() : on.column('id').doUpdateSet(values))).execute();
}

/** Creates a page, or replaces the one with this slug. */
export async function upsertPage(db: Db, page: Insertable<ExtraPagesTable>): Promise<void> {
  const { slug: _, ...values } = page;
  await db
    .insertInto('extra_pages')
    .values(page)
    .onConflict((on) => on.column('slug').doUpdateSet(values))
    .execute();
}

/** Every page with a row, in the order of the footer. */
export async function selectPages(db: Db) {
  const rows = await db
    .selectFrom('extra_pages')
    .select(['slug', 'title', 'position as order', 'is_listed', 'updated_at'])
    .execute();
  return rows.sort((a, b) => a.order - b.order || (a.slug < b.slug ? -1 : 1));
}

export function findPageRow(db: Db, slug: string) {
  return db.selectFrom('extra_pages').selectAll().where('slug', '=', slug).executeTakeFirst();
}

/** Creates a page; false if the slug is taken. */
export async function insertPage(db: Db, page: Insertable<ExtraPagesTable>): Promise<boolean> {
  return changesRows(
    db
      .insertInto('extra_pages')
      .values(page)
      .onConflict((on) => on.column('slug').doNothing()),
  );
}

/** Whether the page was still at this version and is replaced. */
export async function updatePage(
  db: Db,
  slug: string,
  version: number,
  page: Omit<Insertable<ExtraPagesTable>, 'slug'>,
): Promise<boolean> {
  return changesRows(
    db.updateTable('extra_pages').set(page).where('slug', '=', slug).where('updated_at', '=', version),
  );
}

/** Whether a page, of this version if one is given, was deleted. */
export async function deletePage(db: Db, slug: string, version: number): Promise<boolean> {
  return changesRows(db.deleteFrom('extra_pages').where('slug', '=', slug).where('updated_at', '=', version));
}

export async function countPages(db: Db): Promise<number> {
  const { pages } = await db
    .selectFrom('extra_pages')
    .select(({ fn }) => fn.countAll<number>().as('pages'))
    .executeTakeFirstOrThrow();
  return Number(pages);
}
