import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { CountSchema, IdSchema, type Read, TextSchema, listOf } from '../calls/wire.ts';

export const SearchSuggestionSchema = v.object({ search: TextSchema, count: CountSchema });
export const CompletedSoundSchema = v.object({ id: IdSchema, title: TextSchema });

/** Other searches for one that finds nothing, each of which finds something. */
export const suggestSearches = defineEndpoint({
  method: 'GET',
  path: '/api/search/suggestions/',
  reply: v.object({ results: listOf(SearchSuggestionSchema) }),
  refuses: [400],
});
export type SearchSuggestion = Read<typeof suggestSearches.reply>['results'][number];

/**
 * What a search that is being typed can become: searches whose last word is in the vocabulary, public sounds and their artists.
 * Each is found by its beginning or its reading.
 */
export const completeSearch = defineEndpoint({
  method: 'GET',
  path: '/api/search/completions/',
  reply: v.object({
    words: listOf(v.pipe(v.string(), v.nonEmpty())),
    artists: listOf(v.pipe(v.string(), v.nonEmpty())),
    sounds: listOf(CompletedSoundSchema),
  }),
  refuses: [400],
});
export type SearchCompletions = Read<typeof completeSearch.reply>;
