import { getPage, getSiteConfig, listPages as listPagesCall } from '../../../contract/site.ts';
import type { LicenceUse } from '../../../contract/sound-facts.ts';
import { GENERAL, notFound, route } from '../../platform/http/http.ts';
import type { Module, Platform } from '../../platform/http/http.ts';
import { listShownAnnouncements } from './announcements.ts';
import { findPage, getSiteSettings, listPages } from './service.ts';

interface SiteOptions {
  /** Those that artists may choose. */
  readonly licenceUses: readonly LicenceUse[];
}

/** The site's settings and its pages. */
export function createSiteModule({ licenceUses }: SiteOptions): Module {
  return {
    name: 'site',
    routes: [
      route(getSiteConfig, GENERAL, async (_, platform: Platform) => {
        const { database, fileUrls } = platform;
        const settings = await getSiteSettings(database);
        return {
          ...settings,
          navbar_logo: fileUrls.picture(settings.navbar_logo, 'logo'),
          navbar_sp_logo: fileUrls.picture(settings.navbar_sp_logo, 'logo'),
          footer_logo: fileUrls.picture(settings.footer_logo, 'logo'),
          footer_banner: fileUrls.picture(settings.footer_banner, 'banner'),
          licence_uses: [...licenceUses] as string[],
          announcements: await listShownAnnouncements(platform),
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
  };
}
