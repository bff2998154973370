import { type ExtraPage, type SiteConfig, getSiteConfig, listPages } from '../../contract/site.ts';
import type { Api } from '../api/client.ts';
import type { PublicSettings } from './public-settings.ts';

/** What stands around every page. */
export interface Shell {
  readonly settings: PublicSettings;
  readonly config: SiteConfig;
  /** Sorted by their order field (spec §2). */
  readonly pages: readonly ExtraPage[];
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
};

type ShellData = Pick<Shell, 'config' | 'pages'>;

/** A host far away is asked once in this time and not once a page: it is the same for every visitor. */
const FRESH_MS = 2000;
let cached: { data: Promise<ShellData>; at: number } | undefined;

/**
 * The site config and the footer's pages; those of a host far away may be two seconds old.
 * Throws `ApiError`.
 */
export async function loadShellData(api: Api, isFarAway: boolean, now = Date.now()): Promise<ShellData> {
  if (!isFarAway) return fetchShellData(api);
  if (cached === undefined || now - cached.at > FRESH_MS) {
    const data = fetchShellData(api);
    const entry = { data, at: now };
    cached = entry;
    data.catch(() => {
      if (cached === entry) cached = undefined;
    });
  }
  return cached.data;
}

async function fetchShellData(api: Api): Promise<ShellData> {
  const [config, pages] = await Promise.all([api(getSiteConfig), api(listPages)]);
  return { config, pages: pages.toSorted((a, b) => a.order - b.order) };
}
