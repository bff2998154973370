import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { SEARCH_LENGTH_MAX } from '../sounds/listing-limits.ts';
import { type Month, isMonth } from '../values/months.ts';
import { PLAY_SOURCES, PLAYS_PATH } from '../sounds/plays.ts';
import { lastText } from '../calls/query-values.ts';
import { DoneSchema } from '../calls/wire.ts';

/**
 * Plays, and what became of an artist's sounds. Only an extended host has these calls. Nothing that a client sends here
 * is stored for a visitor: plays are added up by sound and day, and words are only shown once `NETWORKS_MIN` networks
 * of `PROVIDERS_MIN` providers have used them.
 */

export const PLAYS_MAX = 20;
/** A word is shown once this many networks have used it, of this many providers: one customer can have many networks. */
export const NETWORKS_MIN = 5;
export const PROVIDERS_MIN = 3;
/** Days are kept for this time; then the figures of their months are left. */
export const RETENTION_DAYS = 400;
/** Months whose days are still there: the current one and these before it. */
export const MONTHS_BEFORE = 12;

const search = v.pipe(v.string(), v.maxLength(SEARCH_LENGTH_MAX));

export const PlaySchema = v.object({
  sound: v.pipe(v.string(), v.maxLength(40)),
  source: v.picklist(PLAY_SOURCES),
  /** The search that found it, for the source `search`. */
  search: v.optional(search),
});
export type Play = v.InferOutput<typeof PlaySchema>;

export const PlaysSchema = v.object({ plays: v.pipe(v.array(PlaySchema), v.maxLength(PLAYS_MAX)) });
export const MissedSearchSchema = v.object({ search });

/** Reports sounds that were heard. Unknown ones, repeats, robots and the artist's own plays are silently not counted. */
export const countPlays = defineEndpoint({
  method: 'POST',
  path: PLAYS_PATH,
  body: PlaysSchema,
  bodyBytesMax: 16_384,
  reply: DoneSchema,
  refuses: [400],
});

/** Reports a search that found nothing. */
export const countMissedSearch = defineEndpoint({
  method: 'POST',
  path: '/api/missed-searches/',
  body: MissedSearchSchema,
  bodyBytesMax: 2_048,
  reply: DoneSchema,
  refuses: [400],
});

/** The last 30 days, the last twelve months, or a month. */
export type Span = 'days' | 'year' | Month;
const SPAN_PROBLEM = '期間は days、year、または2026-11の形の月で指定してください。';

function isSpan(text: string): text is Span {
  return text === 'days' || text === 'year' || isMonth(text);
}

const CountSchema = v.pipe(v.number(), v.integer());

const FIGURES = {
  plays: CountSchema,
  /** Counted downloads, as in the public count of a sound. */
  downloads: CountSchema,
  /** Members who favourited a sound then, and still do. */
  favorites: CountSchema,
  /** Certificates of downloads. */
  certificates: CountSchema,
  /** Uses that were reported in this period and that the artist has confirmed. */
  uses: CountSchema,
};
export type FigureName = keyof typeof FIGURES;

/** Yen that were credited, less reversals, as in the ledger; null for one sound, whose yen are in the statements. */
const RewardSchema = v.nullable(CountSchema);

export const PartSchema = v.object({
  /** A day in Japan, or the first one of a month, such as `2026-11-01`. */
  starts_on: v.string(),
  ...FIGURES,
  reward: RewardSchema,
});
export const SoundFiguresSchema = v.object({
  sound_id: v.string(),
  /** null for a deleted sound. */
  title: v.nullable(v.string()),
  ...FIGURES,
});
export const SourceCountSchema = v.object({ source: v.picklist(PLAY_SOURCES), plays: CountSchema });
export const FoundWordSchema = v.object({ word: v.string(), plays: CountSchema });
export const BeforeSchema = v.object({
  /** The first and the last day. */
  starts_on: v.string(),
  ends_on: v.string(),
  ...FIGURES,
  reward: RewardSchema,
});

export const OwnStatisticsSchema = v.object({
  unit: v.picklist(['day', 'month']),
  /** Oldest first, up to today. */
  parts: v.array(PartSchema),
  /** The whole span before; of a month under way, as many days of the month before. */
  before: BeforeSchema,
  /** Most plays first, without those that have none. */
  sources: v.array(SourceCountSchema),
  /** Most plays first; sounds about which there is nothing to say are left out. */
  sounds: v.array(SoundFiguresSchema),
  /** Words by which sounds were found, most plays first. */
  words: v.array(FoundWordSchema),
});
export type OwnStatistics = v.InferOutput<typeof OwnStatisticsSchema>;
export type Part = v.InferOutput<typeof PartSchema>;

/** What became of the caller's sounds, or of one of them. */
export const getOwnStatistics = defineEndpoint({
  method: 'GET',
  path: '/api/account/statistics/',
  query: v.object({
    span: v.optional(
      v.pipe(
        lastText,
        v.check(isSpan, SPAN_PROBLEM),
        v.transform((text) => text as Span),
      ),
    ),
    /** One of them; '' for all. */
    sound: v.optional(lastText),
  }),
  reply: OwnStatisticsSchema,
  refuses: [400, 404],
});
