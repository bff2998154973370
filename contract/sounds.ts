import * as v from 'valibot';
import { defineEndpoint } from './endpoint.ts';
import { PAGE_SIZE_DEFAULT, type Ordering } from './listing-limits.ts';
import { pagedResult } from './paging.ts';
import { SoundFindingsSchema } from './sound-findings.ts';
import {
  AssumedFlagSchema,
  CountSchema,
  ExtraFlagSchema,
  ExtraNumberSchema,
  FileUrlSchema,
  FlagSchema,
  IdSchema,
  TextSchema,
  extra,
  listOf,
} from './wire.ts';

/** A sound (spec §3). What stands after the spec's own fields is sent by our host alone. */
export const SoundSchema = v.object({
  id: IdSchema,
  title: TextSchema,
  description: TextSchema,
  filename: TextSchema,
  file_url: FileUrlSchema,
  thumbnail_url: FileUrlSchema,
  is_published: AssumedFlagSchema,
  is_editable: FlagSchema,
  is_ai_generated: FlagSchema,
  /** undefined where a host does not say. */
  is_favorited: ExtraFlagSchema,
  sub_genres: listOf(IdSchema),
  download_count: CountSchema,
  favorite_count: CountSchema,
  artist_name: TextSchema,
  user_profile_picture: FileUrlSchema,
  /** The sound type's id. */
  type: extra(IdSchema),
  duration_ms: ExtraNumberSchema,
  /** The waveform: one character a bar, `0` (silence) to `z` (the loudest), see `contract/peaks.ts`. */
  peaks: extra(v.string()),
  mime_type: extra(v.string()),
  size_bytes: ExtraNumberSchema,
  bit_rate_kbps: ExtraNumberSchema,
  sample_rate_hz: ExtraNumberSchema,
  /** ISO 8601, UTC. */
  created_at: extra(v.string()),
  /** To its artist alone, once it has been measured. */
  findings: extra(SoundFindingsSchema),
  /** To its artist alone: why the staff has hidden it. */
  hidden_reason: extra(v.string()),
});
export type Sound = v.InferOutput<typeof SoundSchema>;

export const SoundListSchema = pagedResult(SoundSchema);
export type SoundList = v.InferOutput<typeof SoundListSchema>;

/** What a listing can be asked for; absent means: not filtered by this. `contract/sound-queries.ts` checks it. */
export interface SoundQuery {
  page?: number;
  page_size?: number;
  type?: string;
  /** A username. */
  user?: string;
  sub_genres?: readonly string[];
  is_ai_generated?: boolean;
  ordering?: Ordering;
  search?: string;
  include_private?: boolean;
  favorite?: boolean;
  /** Only these sounds. Another host may not know this: then the filter does nothing. */
  ids?: readonly string[];
}

export const listSounds = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/',
  reply: SoundListSchema,
  errors: { 400: 'a query value is out of its bounds; the body names it' },
});

export const getSound = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/{id}/',
  reply: SoundSchema,
  errors: { 404: 'no sound has this id, or it is private and not the caller’s' },
});

/** The listing's page size when none is asked for. */
export function toPageSize(query: SoundQuery): number {
  return query.page_size ?? PAGE_SIZE_DEFAULT;
}

/**
 * Adds a favourite or takes it away (spec §7: no payload). Our host says which; where another
 * does not, the client believes what it asked for.
 */
export const toggleFavorite = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/{id}/toggle-favorite',
  reply: v.fallback(v.object({ is_favorited: ExtraFlagSchema, favorite_count: ExtraNumberSchema }), {}),
  errors: {
    401: 'nobody is logged in',
    404: 'no sound has this id, or it is private and not the caller’s',
    429: 'too many changes in a minute',
  },
});
