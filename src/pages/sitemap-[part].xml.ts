import type { APIRoute } from 'astro';
import { ApiError } from '../../contract/calls/errors.ts';
import { PAGES_PART, listPages, listPart, toSiteMap } from '../render/site-map.ts';

/** One site map: of the site's own pages, or of a part of its sounds and artists. */
export const GET: APIRoute = async ({ locals, params: { part = '' } }) => {
  const { api, shell } = locals;
  if (part === PAGES_PART) return toSiteMap('urlset', await listPages(locals, shell), shell.settings.siteUrl);
  if (!shell.config.is_extended) throw new ApiError(404, []);
  return toSiteMap('urlset', await listPart(api, part), shell.settings.siteUrl);
};
