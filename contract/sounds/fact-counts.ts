import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import type { SoundQuery } from './sounds.ts';
import { CountSchema, FlagSchema, type Read, TextSchema, listOf } from '../calls/wire.ts';

/** Counting stops at so many sounds, or, with a search, after so many of its newest hits. */
export const FACT_COUNT_MAX = 1_000;

/** The part of a listing's query that its counts depend on. */
export type FactCountQuery = Omit<
  SoundQuery,
  'page' | 'page_size' | 'ordering' | 'user' | 'include_private' | 'favorite' | 'ids'
>;

export const FactCountSchema = v.object({
  /** A query parameter: a fact, `sub_genres` or `is_ai_generated`. */
  filter: TextSchema,
  value: TextSchema,
  count: CountSchema,
  /** Whether there may be more. */
  is_capped: FlagSchema,
});
export type FactCount = Read<typeof FactCountSchema>;

/** How many public sounds a listing would have with one more value of a filter. */
export const countFacts = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/fact-counts/',
  reply: v.object({ results: listOf(FactCountSchema) }),
  refuses: [400],
});
