import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { CountSchema } from './operator.ts';

/** The call of the console's overview for weeks and months. Only our own host has it. Times are epoch ms. */

/** Spans of each kind in a reply, the current one included. */
export const SPANS = 12;

const SpanSchema = v.object({
  /** Midnight in Japan: of a Monday, or of the first day of a month. */
  starts_at: v.number(),
  /** Counted downloads, and those that were credited on the same day. */
  downloads: CountSchema,
  credits: CountSchema,
  /** Credited to artists, less what was reversed. */
  yen: CountSchema,
  /** Uploaded sounds that still exist, and the bytes of their files. */
  sounds: CountSchema,
  sound_bytes: v.number(),
  /** New accounts that still exist. */
  members: CountSchema,
  /** Mails that were sent or given up; null for a span of which some are deleted (RETAIN_MAILS_DAYS). */
  mails_sent: v.nullable(CountSchema),
  mails_failed: v.nullable(CountSchema),
  /** What the staff refused, and sounds that it hid or deleted. */
  refused_checks: CountSchema,
  refused_ids: CountSchema,
  removed_sounds: CountSchema,
});
export type Span = v.InferOutput<typeof SpanSchema>;

export const StatisticsSchema = v.object({
  /** Oldest first; the last one is the current one. */
  weeks: v.array(SpanSchema),
  months: v.array(SpanSchema),
  /** The most downloaded public sounds. */
  top: v.array(v.object({ id: v.string(), title: v.string(), artist: v.string(), downloads: CountSchema })),
  /** Searches without results of this month and the one before that at least five networks made, most frequent first. */
  missed: v.array(v.string()),
});
export type Statistics = v.InferOutput<typeof StatisticsSchema>;

/** How the site develops. Figures may be ten minutes old. */
export const getStatistics = defineEndpoint({
  method: 'GET',
  path: '/api/operator/statistics/',
  reply: StatisticsSchema,
});
