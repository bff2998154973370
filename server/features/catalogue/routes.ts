import {
  completeSearch as completeSearchCall,
  suggestSearches as suggestSearchesCall,
} from '../../../contract/search-suggestions.ts';
import { countFacts as countFactsCall } from '../../../contract/fact-counts.ts';
import type { FactCountQuery } from '../../../contract/fact-counts.ts';
import {
  FactCountQuerySchema,
  SoundQuerySchema,
  SuggestionQuerySchema,
} from '../../../contract/sound-queries.ts';
import {
  getSound,
  listSimilar as listSimilarCall,
  listSounds as listSoundsCall,
} from '../../../contract/sounds.ts';
import type { SoundQuery } from '../../../contract/sounds.ts';
import { readPublic } from '../../platform/database/database.ts';
import { notFound, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { completeSearch } from './search/completions.ts';
import { countFacts } from './listing/fact-counts.ts';
import { suggestSearches } from './search/suggestions.ts';
import { findSound, listSimilar, listSounds } from './service.ts';
import { toWireSound } from './to-wire.ts';

/** Typing and deleting asks for the same text again. */
const COMPLETIONS_CACHED = 'public, max-age=60';

export function serveSounds(api: Api): void {
  const { database, fileUrls } = api.platform;

  serve(api, { ...listSoundsCall, query: SoundQuerySchema }, async ({ query, caller, url }) => {
    const callerId = caller?.id ?? null;
    const list = (source: typeof database) => listSounds(source, query as SoundQuery, callerId);
    // Members see what they have just changed.
    const page = callerId === null ? await readPublic(database, list) : await list(database);
    return {
      results: page.sounds.map((sound) => toWireSound(sound, callerId, fileUrls)),
      next: page.next === null ? null : toNextUrl(url, page.next),
      count: page.count,
      count_is_capped: page.isCountCapped,
    };
  });

  serve(api, { ...countFactsCall, query: FactCountQuerySchema }, async ({ query }) => ({
    results: await readPublic(database, (source) => countFacts(source, query as FactCountQuery)),
  }));

  serve(api, { ...suggestSearchesCall, query: SuggestionQuerySchema }, async ({ query }) => ({
    results: await readPublic(database, (source) => suggestSearches(source, query.search)),
  }));

  serve(api, { ...completeSearchCall, query: SuggestionQuerySchema }, async ({ query, caller, context }) => {
    const found = await readPublic(database, (source) => completeSearch(source, query.search));
    if (caller === null) context.header('Cache-Control', COMPLETIONS_CACHED);
    return found;
  });

  serve(api, getSound, async ({ params, caller }) => {
    const callerId = caller?.id ?? null;
    const find = (source: typeof database) => findSound(source, params.id, callerId);
    // What another process has just published may be missing on the replica.
    const sound =
      (callerId === null ? await readPublic(database, find) : undefined) ?? (await find(database));
    if (sound === undefined) throw notFound();
    return toWireSound(sound, callerId, fileUrls);
  });

  serve(api, listSimilarCall, async ({ params, caller }) => {
    const callerId = caller?.id ?? null;
    const list = (source: typeof database) => listSimilar(source, params.id, callerId);
    const sounds =
      (callerId === null ? await readPublic(database, list) : undefined) ?? (await list(database));
    if (sounds === undefined) throw notFound();
    return { results: sounds.map((sound) => toWireSound(sound, callerId, fileUrls)) };
  });
}

/** The URL of another page of the same query, relative to the host. */
function toNextUrl(url: URL, page: number): string {
  const search = new URLSearchParams(url.search);
  search.set('page', String(page));
  return `${url.pathname}?${search.toString()}`;
}
