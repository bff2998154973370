import { countFacts as countFactsCall } from '../../../contract/sounds/fact-counts.ts';
import type { FactCountQuery } from '../../../contract/sounds/fact-counts.ts';
import {
  listGenres as listGenresCall,
  listSoundTypes as listSoundTypesCall,
} from '../../../contract/sounds/genres.ts';
import {
  completeSearch as completeSearchCall,
  suggestSearches as suggestSearchesCall,
} from '../../../contract/search/search-suggestions.ts';
import { getSiteMap, getSiteMapPart } from '../../../contract/site/site-map.ts';
import {
  FactCountQuerySchema,
  SoundQuerySchema,
  SuggestionQuerySchema,
} from '../../../contract/sounds/sound-queries.ts';
import * as calls from '../../../contract/sounds/sounds.ts';
import { toShareVersion } from '../../media/pictures/share-pictures.ts';
import { readPublic } from '../../platform/database/replica.ts';
import type { Database } from '../../platform/database/open.ts';
import { GENERAL, READS, byMember } from '../../platform/http/access.ts';
import { notFound } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Rule } from '../../platform/http/access.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';
import type { Feature } from '../feature.ts';
import { CATALOGUE_ERASURE } from './erasure.ts';
import { FAVORITES_FILE } from './favorites/export.ts';
import { CATALOGUE_CHECKS } from './checks.ts';
import { GENRE_ROUTES } from './genres/desk.ts';
import { toggleFavorite } from './favorites/service.ts';
import { listGenres, listSoundTypes } from './genres/service.ts';
import { countFacts } from './listing/fact-counts.ts';
import { completeSearch } from './search/completions.ts';
import { startPronouncing } from './search/pronouncing.ts';
import { closeQueryWords } from './search/query-words.ts';
import { finishIndexing } from './search/reindexing.ts';
import { suggestSearches } from './search/suggestions.ts';
import { findSound, listSimilar, listSounds } from './service.ts';
import { countSiteMapParts, selectSiteMapPart } from './site-map-queries.ts';
import { startComparing } from './similar/rounds.ts';
import { toShareSubject, toWireSound } from './to-wire.ts';
import { SOUND_FILES } from './stored-files.ts';

/** Published sounds, their search, genres and favourites. */
export const catalogueFeature: Feature = {
  name: 'catalogue',
  erasure: CATALOGUE_ERASURE,
  exports: [FAVORITES_FILE],
  checks: CATALOGUE_CHECKS,
  files: SOUND_FILES,
  desk: GENRE_ROUTES,
  apiTexts: () => import('./api-texts.ts'),
  createModule: () => ({
    routes: ROUTES,
    scheduledJobs: ({ database, catalogueChanged }) => [
      {
        name: 'the search index of changed artists',
        async run() {
          if ((await finishIndexing(database)) > 0) catalogueChanged();
        },
      },
    ],
    start(platform) {
      const ends = [startPronouncing(platform), startComparing(platform)];
      return () => {
        for (const end of ends) end();
        void closeQueryWords();
      };
    },
  }),
};

/** Typing and deleting asks for the same text again. */
const COMPLETIONS_CACHED = 'public, max-age=60';

/** Per member; more than a person clicks, and little enough for the database. */
const TOGGLES: RateLimit = { name: 'favorites', points: 60, perSec: 60 };

const OWN_OR_PUBLIC: Rule<'anyone'> = { caller: 'anyone', owner: 'own or public', limits: [READS] };

const ROUTES: readonly Route[] = [
  // Before sounds: /api/sounds/types is not the address of a sound.
  route(listGenresCall, GENERAL, (_, { database }) => listGenres(database)),
  route(listSoundTypesCall, GENERAL, (_, { database }) => listSoundTypes(database)),

  route(
    { ...calls.listSounds, query: SoundQuerySchema },
    OWN_OR_PUBLIC,
    async ({ query, caller, url }, { database, fileUrls }) => {
      const callerId = caller?.id ?? null;
      const list = (source: Database) => listSounds(source, query as calls.SoundQuery, callerId);
      // Members see what they have just changed.
      const page = callerId === null ? await readPublic(database, list) : await list(database);
      return {
        results: page.sounds.map((sound) => toWireSound(sound, callerId, fileUrls)),
        next: page.next === null ? null : toNextUrl(url, page.next),
        count: page.count,
        count_is_capped: page.isCountCapped,
        ...(page.notes && { search_notes: page.notes }),
      };
    },
  ),

  route(
    { ...completeSearchCall, query: SuggestionQuerySchema },
    { caller: 'anyone', owner: 'public', limits: [READS] },
    async ({ query, caller, context }, { database }) => {
      const found = await readPublic(database, (source) => completeSearch(source, query.search));
      if (caller === null) context.header('Cache-Control', COMPLETIONS_CACHED);
      return found;
    },
  ),

  route({ ...countFactsCall, query: FactCountQuerySchema }, GENERAL, async ({ query }, { database }) => ({
    results: await readPublic(database, (source) => countFacts(source, query as FactCountQuery)),
  })),

  route(
    { ...suggestSearchesCall, query: SuggestionQuerySchema },
    GENERAL,
    async ({ query }, { database }) => ({
      results: await readPublic(database, (source) => suggestSearches(source, query.search)),
    }),
  ),

  route(calls.getSound, OWN_OR_PUBLIC, async ({ params, caller }, { database, fileUrls, siteName }) => {
    const callerId = caller?.id ?? null;
    const find = (source: Database) => findSound(source, params.id, callerId);
    // What another process has just published may be missing on the replica.
    const sound =
      (callerId === null ? await readPublic(database, find) : undefined) ?? (await find(database));
    if (sound === undefined) throw notFound();
    const { id, is_published } = sound.row;
    const version = toShareVersion(toShareSubject(sound.row, siteName));
    return {
      ...toWireSound(sound, callerId, fileUrls),
      ...(is_published === 1 && { share_picture_url: fileUrls.share('sounds', id, version) }),
    };
  }),

  route(calls.listSimilar, OWN_OR_PUBLIC, async ({ params, caller }, { database, fileUrls }) => {
    const callerId = caller?.id ?? null;
    const list = (source: Database) => listSimilar(source, params.id, callerId);
    const similar =
      (callerId === null ? await readPublic(database, list) : undefined) ?? (await list(database));
    if (similar === undefined) throw notFound();
    return {
      results: similar.sounds.map((sound) => toWireSound(sound, callerId, fileUrls)),
      sure_count: similar.sureCount,
    };
  }),

  route(getSiteMap, GENERAL, async (_, { database }) => ({
    parts: await readPublic(database, ({ db }) => countSiteMapParts(db)),
  })),

  route(getSiteMapPart, GENERAL, async ({ params: { part } }, { database }) =>
    readPublic(database, async ({ db }) => {
      const number = /^[1-9]\d{0,4}$/.test(part) ? Number(part) : Infinity;
      if (number > (await countSiteMapParts(db))) throw notFound();
      const { sounds, artists } = await selectSiteMapPart(db, number);
      return { sounds: sounds.map(toMapped), artists: artists.map(toMapped) };
    }),
  ),

  // Cached pages are kept (no `catalogueChanged`): otherwise any member could empty the whole page cache every second.
  // A page only shows a count and, sorted by favourites, a position; both are updated within a minute when the page is
  // renewed. The caller sees the values of the reply.
  route(
    calls.toggleFavorite,
    { caller: 'member', owner: 'own or public', limits: [byMember(TOGGLES)] },
    async ({ params, caller }, { database, clock }) => {
      const favorite = await toggleFavorite(database, params.id, caller.id, clock.now());
      if (favorite === undefined) throw notFound();
      return { is_favorited: favorite.isFavorited, favorite_count: favorite.favoriteCount };
    },
  ),
];

/** A page in the site map. */
function toMapped<Page extends { readonly updatedAt: number }>({ updatedAt, ...page }: Page) {
  return { ...page, updated_at: new Date(updatedAt).toISOString() };
}

/** The URL of another page of the same query, relative to the host. */
function toNextUrl(url: URL, page: number): string {
  const search = new URLSearchParams(url.search);
  search.set('page', String(page));
  return `${url.pathname}?${search.toString()}`;
}
