import { type ExtraPage, type SiteConfig, getSiteConfig, listPages } from '../../contract/site/site.ts';
import type { Api } from '../api/client.ts';
import type { OrAbsent } from './optional.ts';
import type { PublicSettings } from './public-settings.ts';

/** The data of the shell around every page. */
export interface Shell {
  readonly settings: PublicSettings;
  readonly config: SiteConfig;
  /** Sorted by their order field (spec §2). */
  readonly pages: readonly ExtraPage[];
  /** The rewarded ad unit; '' on pages that load nothing from an ad network. */
  readonly adUnit: string;
  /** Shown on an error page, so that users can report it. */
  readonly requestId: string;
}

export type ShellData = Pick<Shell, 'config' | 'pages'>;

/** The shell's data while the API does not answer. */
export const BARE_SHELL: ShellData = {
  config: {
    navbar_logo: null,
    navbar_sp_logo: null,
    footer_logo: null,
    footer_banner: null,
    maintenance_mode: false,
    allow_register: true,
    is_extended: false,
  },
  pages: [],
};

/**
 * The site config and the footer's pages. Parts that cannot be read are taken from the last shell of this
 * host; without one, the config is empty and there are no pages.
 */
export async function loadShellData(
  { api, orAbsent }: { api: Api; orAbsent: OrAbsent },
  lastShell: ShellData | undefined,
): Promise<ShellData> {
  const [config, pages] = await Promise.all([
    lastShell
      ? api(getSiteConfig).catch(() => lastShell.config)
      : orAbsent(api(getSiteConfig), BARE_SHELL.config),
    lastShell ? api(listPages).catch(() => lastShell.pages) : orAbsent(api(listPages), []),
  ]);
  return { config, pages: pages.toSorted((a, b) => a.order - b.order) };
}
