import type { APIRoute } from 'astro';
import { getSiteMap } from '../../contract/site/site-map.ts';
import { PAGES_PART, siteMapPath, toSiteMap } from '../render/site-map.ts';

/** The index of the site maps for search engines. */
export const GET: APIRoute = async ({ locals: { api, orAbsent, shell } }) => {
  const { parts } = shell.config.is_extended ? await orAbsent(api(getSiteMap), { parts: 0 }) : { parts: 0 };
  const numbers = Array.from({ length: parts }, (_, index) => index + 1);
  const maps = [PAGES_PART, ...numbers].map((part) => ({ path: siteMapPath(part) }));
  return toSiteMap('sitemapindex', maps, shell.settings.siteUrl);
};
