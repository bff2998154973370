import { getSiteMapPart } from '../../contract/site/site-map.ts';
import type { Api } from '../api/client.ts';
import { artistPath, contentPath, soundPath } from '../lib/paths.ts';
import { readFirstPages } from './search-pages.ts';
import type { Shell } from './shell.ts';
import { escapeXml } from './xml.ts';

/** A page in the site map. */
export interface MappedPage {
  readonly path: string;
  /** ISO 8601; undefined if not known. */
  readonly updatedAt?: string | undefined;
}

/** The part with the site's own pages; the others are numbered. */
export const PAGES_PART = 'pages';
const SCREENS = ['/', '/sounds', '/member-terms', '/privacy-policy', '/legal/external-transmission'];
const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';

export function siteMapPath(part: string | number): string {
  return `/sitemap-${part}.xml`;
}

/** The site's own pages. Of a host without a site map, also the artists on its first pages of sounds. */
export async function listPages(
  { api, orAbsent }: Pick<App.Locals, 'api' | 'orAbsent'>,
  { pages, config }: Pick<Shell, 'pages' | 'config'>,
): Promise<MappedPage[]> {
  const { sounds } = config.is_extended
    ? { sounds: [] }
    : await orAbsent(readFirstPages(api, {}), { sounds: [], isAll: false });
  const artists = new Set(sounds.map(({ artist_name }) => artist_name).filter((name) => name !== ''));
  const paths = [...SCREENS, ...pages.map(({ slug }) => contentPath(slug)), ...[...artists].map(artistPath)];
  return paths.map((path) => ({ path }));
}

/** The sounds and artists of a part, counted from 1. Throws `ApiError`. */
export async function listPart(api: Api, part: string): Promise<MappedPage[]> {
  const { sounds, artists } = await api(getSiteMapPart, { params: { part } });
  return [
    ...artists.map(({ username, updated_at }) => ({ path: artistPath(username), updatedAt: updated_at })),
    ...sounds.map(({ id, updated_at }) => ({ path: soundPath(id), updatedAt: updated_at })),
  ];
}

/** A site map, or an index of site maps (sitemaps.org). */
export function toSiteMap(
  kind: 'urlset' | 'sitemapindex',
  pages: readonly MappedPage[],
  siteUrl: string,
): Response {
  const element = kind === 'urlset' ? 'url' : 'sitemap';
  const lines = pages.map(({ path, updatedAt }) => {
    const changed = updatedAt === undefined ? '' : `<lastmod>${escapeXml(updatedAt)}</lastmod>`;
    return `<${element}><loc>${escapeXml(siteUrl + path)}</loc>${changed}</${element}>`;
  });
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${kind} xmlns="${NAMESPACE}">\n${lines.join('\n')}\n</${kind}>\n`,
    { headers: { 'content-type': 'application/xml; charset=utf-8' } },
  );
}
