import { getPage, getSiteConfig, listPages as listPagesCall } from '../../../contract/site/site.ts';
import { GENERAL } from '../../platform/http/access.ts';
import { notFound } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Feature } from '../feature.ts';
import { SITE_CHECKS } from './checks.ts';
import { ANNOUNCEMENT_ROUTES } from './announcements-desk.ts';
import { SITE_ROUTES } from './desk.ts';
import { findTerms, toAddableUses } from '../terms/terms.ts';
import { listVisibleAnnouncements } from './announcements.ts';
import { findPage, getSiteSettings, listPages } from './service.ts';
import { SITE_FILES } from './stored-files.ts';

/** The site's settings and its pages. */
export const siteFeature: Feature = {
  name: 'site',
  checks: SITE_CHECKS,
  files: SITE_FILES,
  desk: [...ANNOUNCEMENT_ROUTES, ...SITE_ROUTES],
  apiTexts: () => import('./api-texts.ts'),
  createModule: () => ({
    routes: [
      route(getSiteConfig, GENERAL, async (_, platform: Platform) => {
        const { database, fileUrls } = platform;
        const settings = await getSiteSettings(database);
        const { licence } = await findTerms(database);
        return {
          ...settings,
          navbar_logo: fileUrls.picture(settings.navbar_logo, 'logo'),
          navbar_sp_logo: fileUrls.picture(settings.navbar_sp_logo, 'logo'),
          footer_logo: fileUrls.picture(settings.footer_logo, 'logo'),
          footer_banner: fileUrls.picture(settings.footer_banner, 'banner'),
          ...(licence !== null && { licence }),
          licence_uses: toAddableUses(licence?.uses ?? []),
          announcements: await listVisibleAnnouncements(platform),
          is_extended: true,
        };
      }),

      route(listPagesCall, GENERAL, (_, { database }: Platform) => listPages(database)),

      route(getPage, GENERAL, async ({ params }, { database }: Platform) => {
        const page = await findPage(database, params.slug);
        if (page === undefined) throw notFound();
        return { id: page.slug, ...page };
      }),
    ],
  }),
};
