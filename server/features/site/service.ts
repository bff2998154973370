import type { Database } from '../../database/open.ts';
import { forget, remembered } from '../../database/remembered.ts';
import { findPageBySlug, selectListedPages, selectSiteConfig } from './queries.ts';
import type { SiteSettings } from './queries.ts';

export interface Page {
  readonly slug: string;
  readonly title: string;
  readonly order: number;
  /** Markdown. */
  readonly body: string;
  /** Whether the footer has a line for it. Pages with an address of their own never do. */
  readonly isListed?: boolean;
}

/** These have routes of their own (spec §2): a row replaces their text, but adds no line to the footer. */
const PAGES_WITH_OWN_ROUTE: ReadonlySet<string> = new Set(['member-terms', 'privacy-policy']);
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

export function getSiteSettings(database: Database): Promise<SiteSettings> {
  return remembered(database, 'site-config', () => selectSiteConfig(database.db));
}

/** Changes the settings named and leaves the others as they are. */
export async function setSiteConfig(database: Database, changes: Partial<SiteSettings>): Promise<void> {
  const { maintenance_mode, allow_register, ...pictures } = changes;
  const values = {
    ...pictures,
    ...(maintenance_mode !== undefined && {
      maintenance_mode: maintenance_mode ? (1 as const) : (0 as const),
    }),
    ...(allow_register !== undefined && { allow_register: allow_register ? (1 as const) : (0 as const) }),
  };
  const query = database.db.insertInto('site_config').values({ id: 1, ...values });
  const isEmpty = Object.keys(values).length === 0;
  await query.onConflict((on) => (isEmpty ? on.doNothing() : on.column('id').doUpdateSet(values))).execute();
  forget(database);
}

/** The footer's lines, in its order. */
export function listPages(database: Database): Promise<Pick<Page, 'slug' | 'title' | 'order'>[]> {
  return remembered(database, 'pages', async () =>
    (await selectListedPages(database.db)).filter((page) => !PAGES_WITH_OWN_ROUTE.has(page.slug)),
  );
}

export async function findPage(
  database: Database,
  slug: string,
): Promise<Pick<Page, 'slug' | 'title' | 'body'> | undefined> {
  if (!SLUG.test(slug)) return undefined;
  return remembered(database, `page ${slug}`, () => findPageBySlug(database.db, slug));
}

/** Writes a page; one with this slug is replaced. Throws RangeError for a slug that is no address. */
export async function savePage(database: Database, page: Page, nowMs = Date.now()): Promise<void> {
  if (!SLUG.test(page.slug)) throw new RangeError(`${JSON.stringify(page.slug)} is no slug`);
  const values = {
    title: page.title,
    position: page.order,
    body: page.body,
    is_listed: page.isListed === false ? (0 as const) : (1 as const),
    updated_at: nowMs,
  };
  await database.db
    .insertInto('extra_pages')
    .values({ slug: page.slug, ...values })
    .onConflict((on) => on.column('slug').doUpdateSet(values))
    .execute();
  forget(database);
}
