import { CAPABILITIES } from '../../../contract/capabilities.ts';
import { getPage, getSiteConfig, listPages as listPagesCall } from '../../../contract/site.ts';
import { notFound, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { findPage, getSiteSettings, listPages } from './service.ts';

export function serveSite(api: Api): void {
  const { database, fileUrls } = api.platform;

  serve(api, getSiteConfig, async () => {
    const settings = await getSiteSettings(database);
    return {
      ...settings,
      navbar_logo: fileUrls.picture(settings.navbar_logo, 'logo'),
      navbar_sp_logo: fileUrls.picture(settings.navbar_sp_logo, 'logo'),
      footer_logo: fileUrls.picture(settings.footer_logo, 'logo'),
      footer_banner: fileUrls.picture(settings.footer_banner, 'banner'),
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
