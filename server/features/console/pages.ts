import { nameSite } from '../../../src/lib/site-name.ts';
import {
  createOperatorPage,
  getOperatorPage,
  listOperatorPages,
  previewPage,
  removeOperatorPage,
  saveOperatorPage,
} from '../../../contract/operator-pages.ts';
import { byMember, declare, notFound, requireMember, serve } from '../../platform/http/http.ts';
import type { Access, Api } from '../../platform/http/http.ts';
import { createPage, findPageRow, removePage, replacePage, selectPages } from '../site/site.ts';
import { CONSOLE_DECISIONS, CONSOLE_PREVIEWS, CONSOLE_READS } from './limits.ts';

const recently = 'staff with recent log-in';
export const PAGES_ACCESS: readonly Access[] = [
  declare(listOperatorPages, 'staff', 'staff', byMember(CONSOLE_READS)),
  declare(getOperatorPage, 'staff', 'staff', byMember(CONSOLE_READS)),
  declare(createOperatorPage, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(saveOperatorPage, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(removeOperatorPage, recently, 'site', byMember(CONSOLE_DECISIONS)),
  declare(previewPage, 'staff', 'staff', byMember(CONSOLE_PREVIEWS)),
];

/** The operator's pages: written, previewed and deleted. */
export function servePages(api: Api): void {
  const { platform } = api;
  const { database } = platform;

  serve(api, listOperatorPages, async () => ({
    results: (await selectPages(database.db)).map((page) => ({ ...page, is_listed: page.is_listed === 1 })),
  }));

  serve(api, getOperatorPage, async ({ params: { slug } }) => {
    const page = await findPageRow(database.db, slug);
    if (page === undefined) throw notFound();
    const { position: order, is_listed, ...texts } = page;
    return { ...texts, order, is_listed: is_listed === 1 };
  });

  serve(api, createOperatorPage, async ({ body: { slug, ...page }, caller }) => ({
    updated_at: await createPage(platform, requireMember({ caller }).id, slug, page),
  }));

  serve(api, saveOperatorPage, async ({ params: { slug }, body: { updated_at, ...page }, caller }) => ({
    updated_at: await replacePage(platform, requireMember({ caller }).id, slug, updated_at, page),
  }));

  serve(api, removeOperatorPage, async ({ params: { slug }, body: { updated_at }, caller }) => {
    await removePage(platform, requireMember({ caller }).id, slug, updated_at);
    return { state: 'removed' as const };
  });

  serve(api, previewPage, async ({ body: { body } }) => {
    // Loaded with the first preview: the renderer is the pages', and no other call needs it.
    const { renderMarkdown } = await import('../../../src/lib/markdown.ts');
    return { html: renderMarkdown(nameSite(body, platform.siteName)) };
  });
}
