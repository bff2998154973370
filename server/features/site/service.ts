import { TERMS_SLUG } from '../../../contract/downloads/licence.ts';
import { invalidateCache, cached } from '../../platform/database/statements/cached.ts';
import type { Database } from '../../platform/database/open.ts';
import {
  findPageBySlug,
  selectListedPages,
  selectSiteConfig,
  upsertPage,
  upsertSiteConfig,
} from './queries.ts';
import type { SiteSettings } from './queries.ts';

export interface Page {
  readonly slug: string;
  readonly title: string;
  readonly order: number;
  /** Markdown. */
  readonly body: string;
  /** Whether the footer links to it. It never links to pages with routes of their own. */
  readonly isListed?: boolean;
}

/** These have routes of their own (spec §2): a row replaces their text, but adds no link to the footer. */
const PAGES_WITH_OWN_ROUTE: ReadonlySet<string> = new Set([TERMS_SLUG, 'privacy-policy']);
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

/** Cached briefly, as pages are. A change by another process takes effect once `followChanges` has noticed it. */
export function getSiteSettings(database: Database): Promise<SiteSettings> {
  return cached(database, 'site-config', () => selectSiteConfig(database.db));
}

/** Changes only the given settings. */
export async function setSiteConfig(database: Database, changes: Partial<SiteSettings>): Promise<void> {
  await upsertSiteConfig(database.db, changes);
  invalidateCache(database);
}

/** The links in the footer, in order. */
export function listPages(database: Database): Promise<Pick<Page, 'slug' | 'title' | 'order'>[]> {
  return cached(database, 'pages', async () =>
    (await selectListedPages(database.db)).filter((page) => !PAGES_WITH_OWN_ROUTE.has(page.slug)),
  );
}

export async function findPage(
  database: Database,
  slug: string,
): Promise<Pick<Page, 'slug' | 'title' | 'body'> | undefined> {
  if (!isPageSlug(slug)) return undefined;
  return cached(database, `page ${slug}`, () => findPageBySlug(database.db, slug));
}

/** Whether a text can be the last part of `/content/{slug}`. */
export function isPageSlug(slug: string): boolean {
  return SLUG.test(slug);
}

/** Creates a page, or replaces the one with this slug. Throws RangeError for an invalid slug. */
export async function savePage(database: Database, page: Page, nowMs = Date.now()): Promise<void> {
  if (!isPageSlug(page.slug)) throw new RangeError(`${JSON.stringify(page.slug)} is not a slug`);
  await upsertPage(database.db, {
    slug: page.slug,
    title: page.title,
    position: page.order,
    body: page.body,
    is_listed: page.isListed === false ? 0 : 1,
    updated_at: nowMs,
    licence_version: null,
  });
  invalidateCache(database);
}
