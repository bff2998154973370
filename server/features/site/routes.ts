import { CAPABILITIES } from '../../../contract/capabilities.ts';
import type { LicenceUse } from '../../../contract/sound-facts.ts';
import { getPage, getSiteConfig, listPages as listPagesCall } from '../../../contract/site.ts';
import { notFound, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { findPage, getSiteSettings, listPages } from './service.ts';

export interface SiteOptions {
  /** Those that artists may choose. */
  readonly licenceUses: readonly LicenceUse[];
}

export function serveSite(api: Api, { licenceUses }: SiteOptions): void {
  const { database, fileUrls } = api.platform;

  const licence_uses: string[] = [...licenceUses];
  serve(api, getSiteConfig, async () => {
    const settings = await getSiteSettings(database);
    return {
      ...settings,
      navbar_logo: fileUrls.picture(settings.navbar_logo, 'logo'),
      navbar_sp_logo: fileUrls.picture(settings.navbar_sp_logo, 'logo'),
      footer_logo: fileUrls.picture(settings.footer_logo, 'logo'),
      footer_banner: fileUrls.picture(settings.footer_banner, 'banner'),
      licence_uses,
      capabilities: CAPABILITIES,
    };
  });

  serve(api, listPagesCall, () => listPages(database));

  serve(api, getPage, async ({ params }) => {
    const page = await findPage(database, params.slug);
    if (page === undefined) throw notFound();
    return { id: page.slug, ...page };
  });
}
