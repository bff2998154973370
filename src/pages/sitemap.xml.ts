import type { APIRoute } from 'astro';
import { listArtists } from '../../contract/artists.ts';
import { PAGE_SIZE_MAX, RESULTS_REACHABLE } from '../../contract/listing-limits.ts';
import { type Sound, listSounds } from '../../contract/sounds.ts';
import type { Api } from '../api/client.ts';
import { artistPath, contentPath, soundPath } from '../lib/paths.ts';
import { escapeXml } from '../render/xml.ts';

const SCREENS = ['/', '/sounds', '/member-terms', '/privacy-policy', '/legal/external-transmission'];

/** The site's pages for search engines: screens, contents, artists, and the newest sounds. */
export const GET: APIRoute = async ({ locals: { api, orAbsent, shell } }) => {
  const [artists, sounds] = shell.config.is_extended
    ? await Promise.all([orAbsent(api(listArtists), []), orAbsent(listNewest(api), [])])
    : [[], []];
  const paths = [
    ...SCREENS,
    ...shell.pages.map(({ slug }) => contentPath(slug)),
    ...artists.map(({ username }) => artistPath(username)),
    ...sounds.map(({ id }) => soundPath(id)),
  ];
  const urls = paths.map(
    (path) => `<url><loc>${escapeXml(new URL(path, shell.settings.siteUrl).href)}</loc></url>`,
  );
  return new Response(
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join('\n')}\n</urlset>\n`,
    { headers: { 'content-type': 'application/xml; charset=utf-8' } },
  );
};

/** As many of the newest sounds as a listing reaches; the others are found through their artists. */
async function listNewest(api: Api): Promise<Sound[]> {
  const sounds: Sound[] = [];
  for (let page: number | null = 1; page !== null && sounds.length < RESULTS_REACHABLE;) {
    const list: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(api, page);
    sounds.push(...list.results);
    page = list.next;
  }
  return sounds;
}

function fetchPage(api: Api, page: number) {
  return api(listSounds, { query: { page, page_size: PAGE_SIZE_MAX, ordering: '-created' } });
}
