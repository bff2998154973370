import { type ExtraPage, type SiteConfig, getSiteConfig, listPages } from '../../contract/site.ts';
import type { Api } from '../api/client.ts';
import type { PublicSettings } from './public-settings.ts';

/** What stands around every page. */
export interface Shell {
  readonly settings: PublicSettings;
  readonly config: SiteConfig;
  /** Sorted by their order field (spec §2). */
  readonly pages: readonly ExtraPage[];
  /** What an ad network sends ads for; '' on pages that load nothing of one. */
  readonly adUnit: string;
  /** Shown on an error page, so that a person can name what went wrong. */
  readonly requestId: string;
}

/** What the shell shows while the API does not answer. */
export const BARE_CONFIG: SiteConfig = {
  navbar_logo: null,
  navbar_sp_logo: null,
  footer_logo: null,
  footer_banner: null,
  maintenance_mode: false,
  allow_register: true,
  capabilities: [],
};

/** The site config and the footer's pages. Throws `ApiError`. */
export async function loadShellData(api: Api): Promise<Pick<Shell, 'config' | 'pages'>> {
  const [config, pages] = await Promise.all([api(getSiteConfig), api(listPages)]);
  return { config, pages: pages.toSorted((a, b) => a.order - b.order) };
}
