import { fillPage } from '../../../contract/site/page-texts.ts';
import {
  createOperatorPage,
  getOperatorPage,
  listOperatorPages,
  previewPage,
  removeOperatorPage,
  saveOperatorPage,
} from '../../../contract/operator/pages.ts';
import { notFound } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Route } from '../../platform/http/route.ts';
import { createPage, removePage, replacePage } from '../site/page-changes.ts';
import { findPageRow, selectPages } from '../site/queries.ts';
import { findTerms, toSavedLicence } from '../terms/terms.ts';
import { CHANGING_SITE, PREVIEWING, READING } from '../staff/rules.ts';

/** The operator's pages: written, previewed and deleted. */
export const PAGE_ROUTES: readonly Route[] = [
  route(listOperatorPages, READING, async (_, { database }) => ({
    results: (await selectPages(database.db)).map((page) => ({ ...page, is_listed: page.is_listed === 1 })),
  })),

  route(getOperatorPage, READING, async ({ params: { slug } }, { database }) => {
    const page = await findPageRow(database.db, slug);
    if (page === undefined) throw notFound();
    const { slug: name, title, body, position: order, is_listed, updated_at } = page;
    const licence = toSavedLicence(page);
    return {
      slug: name,
      title,
      body,
      order,
      is_listed: is_listed === 1,
      updated_at,
      licence_line: licence?.line ?? '',
      licence_uses: licence?.uses ?? [],
    };
  }),

  route(createOperatorPage, CHANGING_SITE, async ({ body: { slug, ...page }, caller }, platform) => ({
    updated_at: await createPage(platform, caller.id, slug, page),
  })),

  route(
    saveOperatorPage,
    CHANGING_SITE,
    async ({ params: { slug }, body: { updated_at, ...page }, caller }, platform) => ({
      updated_at: await replacePage(platform, caller.id, slug, updated_at, page),
    }),
  ),

  route(
    removeOperatorPage,
    CHANGING_SITE,
    async ({ params: { slug }, body: { updated_at }, caller }, platform) => {
      await removePage(platform, caller.id, slug, updated_at);
      return { state: 'removed' as const };
    },
  ),

  route(previewPage, PREVIEWING, async ({ body: { body, licence_line } }, { database, siteName }) => {
    // Loaded with the first preview: the renderer is the pages', and no other call needs it.
    const { renderMarkdown } = await import('../../../src/render/markdown.ts');
    const { licence } = await findTerms(database);
    const pageLicence = licence_line ? { line: licence_line, uses: [] } : licence;
    return { html: renderMarkdown(fillPage({ title: '', body }, siteName, pageLicence).body) };
  }),
];
