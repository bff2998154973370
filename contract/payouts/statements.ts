import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';

/** A sound's part of a month's earnings. */
export const StatementLineSchema = v.object({
  /** null when the entry is not about a single sound. */
  sound_id: v.nullable(v.string()),
  /** The current title; null for a deleted sound. */
  title: v.nullable(v.string()),
  reward: v.number(),
  downloads: v.number(),
});

/**
 * A month's earnings by sound; they add up to the month's figures on the profile. Later reversals are subtracted, so a
 * line may be 0.
 */
export const StatementSchema = v.object({
  /** `2026-11`, in Japan time. */
  month: v.string(),
  /** Yen and counted downloads of the whole month. */
  reward: v.number(),
  downloads: v.number(),
  sounds: v.array(StatementLineSchema),
});
export type Statement = v.InferOutput<typeof StatementSchema>;

export const getStatement = defineEndpoint({
  method: 'GET',
  path: '/api/finance/statements/{month}/',
  reply: StatementSchema,
  refuses: [400],
});
