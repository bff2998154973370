import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';

/** What the operator can set; pictures are storage keys, null for none. */
export interface SiteSettings {
  readonly navbar_logo: string | null;
  readonly navbar_sp_logo: string | null;
  readonly footer_logo: string | null;
  readonly footer_banner: string | null;
  readonly maintenance_mode: boolean;
  readonly allow_register: boolean;
}

export async function selectSiteConfig(db: Kysely<Schema>): Promise<SiteSettings> {
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

export async function selectListedPages(db: Kysely<Schema>) {
  const rows = await db
    .selectFrom('extra_pages')
    .select(['slug', 'title', 'position as order'])
    .where('is_listed', '=', 1)
    .execute();
  // Sorted here: databases differ in how they compare text.
  return rows.sort((a, b) => a.order - b.order || (a.slug < b.slug ? -1 : 1));
}

export function findPageBySlug(db: Kysely<Schema>, slug: string) {
  return db
    .selectFrom('extra_pages')
    .select(['slug', 'title', 'body'])
    .where('slug', '=', slug)
    .executeTakeFirst();
}
