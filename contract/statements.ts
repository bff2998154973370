import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';

/**
 * What a month's earnings are made of, sound by sound; it adds up to the month's figures on the profile. What
 * was taken back later is not in it any more: a line may have come down to nothing.
 */
export const StatementSchema = v.object({
  /** `2026-11`, as Japan counts. */
  month: v.string(),
  /** Yen and counted downloads of the whole month. */
  reward: v.number(),
  downloads: v.number(),
  sounds: v.array(
    v.object({
      /** null where the entry is about no one sound. */
      sound_id: v.nullable(v.string()),
      /** As it is called now; null once it is deleted. */
      title: v.nullable(v.string()),
      reward: v.number(),
      downloads: v.number(),
    }),
  ),
});
export type Statement = v.InferOutput<typeof StatementSchema>;

/** Capability `statements`. */
export const getStatement = defineEndpoint({
  method: 'GET',
  path: '/api/finance/statements/{month}/',
  reply: StatementSchema,
  errors: { 400: 'no month', 401: 'nobody is logged in', 429: 'too many statements' },
});
