import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';
import { CountSchema, TextSchema, listOf } from './wire.ts';

/** Other searches for one that finds nothing, each of which finds something. */
export const suggestSearches = defineEndpoint({
  method: 'GET',
  path: '/api/search/suggestions/',
  reply: v.object({ results: listOf(v.object({ search: TextSchema, count: CountSchema })) }),
  errors: { 400: 'the search is too long' },
});
export type SearchSuggestion = v.InferOutput<typeof suggestSearches.reply>['results'][number];
