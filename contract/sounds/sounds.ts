import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import type { FactChoices } from './sound-facts.ts';
import { PAGE_SIZE_DEFAULT, type Ordering } from './listing-limits.ts';
import { MUSICAL_KEYS } from './music.ts';
import { NextPageSchema } from '../calls/paging.ts';
import { SearchNotesSchema } from '../search/search-notes.ts';
import { SoundFindingsSchema } from './sound-findings.ts';
import {
  AssumedFlagSchema,
  CountSchema,
  FileUrlSchema,
  FlagSchema,
  IdSchema,
  type Read,
  AudioUrlSchema,
  TextSchema,
  extra,
  listOf,
  orElse,
} from '../calls/wire.ts';

/** What a sound without a title is called (spec §2). */
export const UNTITLED = 'Untitled';

/** A sound (spec §3). Only our host sends the fields after those of the specification. */
export const SoundSchema = v.object({
  id: IdSchema,
  title: TextSchema,
  description: TextSchema,
  filename: TextSchema,
  file_url: AudioUrlSchema,
  thumbnail_url: FileUrlSchema,
  is_published: AssumedFlagSchema,
  is_editable: FlagSchema,
  is_ai_generated: FlagSchema,
  /** undefined when a host omits it. */
  is_favorited: extra(v.boolean()),
  sub_genres: listOf(IdSchema),
  download_count: CountSchema,
  favorite_count: CountSchema,
  artist_name: TextSchema,
  user_profile_picture: FileUrlSchema,
  is_loopable: extra(v.boolean()),
  /** undefined: not known. */
  has_vocals: v.optional(v.boolean()),
  /** Of `MOODS`. */
  moods: extra(v.array(TextSchema)),
  /** What it may be used for, by the terms of the site and by its artist: of `LICENCE_USES`. */
  licence_uses: extra(v.array(TextSchema)),
  /** Those of `licence_uses` that only its artist allows. */
  added_uses: extra(v.array(TextSchema)),
  /** Of `CONTENT_ID_STATES`; undefined: not known. */
  content_id: v.optional(v.string()),
  /** The sound type's id. */
  type: extra(IdSchema),
  /** Whether its type is one of music, not of effects; undefined: not known. */
  is_music: extra(v.boolean()),
  duration_ms: extra(v.number()),
  /** The waveform: one character per bar, `0` (silence) to `z` (loudest), see `contract/sounds/peaks.ts`. */
  peaks: extra(v.string()),
  /** Integrated loudness (`contract/sounds/sound-findings.ts`), once the sound is measured. */
  loudness_lufs: v.optional(v.number()),
  /** True peak, as the loudness. */
  true_peak_dbtp: v.optional(v.number()),
  mime_type: extra(v.string()),
  size_bytes: extra(v.number()),
  bit_rate_kbps: extra(v.number()),
  sample_rate_hz: extra(v.number()),
  /** ISO 8601, UTC. */
  created_at: extra(v.string()),
  /** When its artist last changed it; as `created_at`. */
  updated_at: extra(v.string()),
  /** Tempo in beats per minute; absent if unknown or too uncertain. */
  bpm: v.optional(v.number()),
  /** Whether the tempo is measured, not entered by the artist. */
  is_bpm_estimated: v.optional(v.boolean()),
  /** Musical key, such as `C` or `F#m`; absent as the tempo is. */
  key: v.optional(v.picklist(MUSICAL_KEYS)),
  is_key_estimated: v.optional(v.boolean()),
  /** Sent with true for a sound with others that are similar for sure (`listSimilar`). */
  has_similar: v.optional(v.boolean()),
  /** The picture of links to the sound (`SHARE_PICTURE`). Only sent of one public sound. */
  share_picture_url: v.optional(v.string()),
  /** Only sent to its artist, once the sound is measured. */
  findings: v.optional(SoundFindingsSchema),
  /** Only sent to its artist: why the staff hid the sound. */
  hidden_reason: v.optional(v.string()),
});
export type Sound = Read<typeof SoundSchema>;

/** A page of sounds (spec §3), with the total that only our own host sends. */
export const SoundListSchema = v.object({
  /** What a search did with its words, if there is anything to say. */
  search_notes: v.optional(SearchNotesSchema),
  results: listOf(SoundSchema),
  next: NextPageSchema,
  count: extra(v.number()),
  count_is_capped: extra(v.boolean()),
});
export type SoundList = Read<typeof SoundListSchema>;

/** The query of a listing; an absent field does not filter. `contract/sounds/sound-queries.ts` validates it. */
export interface SoundQuery extends FactChoices {
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
  /** Only these sounds. Hosts that do not know this filter ignore it. */
  ids?: readonly string[];
}

export const listSounds = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/',
  reply: SoundListSchema,
  refuses: [400],
});

export const getSound = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/{id}/',
  reply: SoundSchema,
  refuses: [404],
});

/**
 * Public sounds of the same type that sound similar, nearest first; none while they are not known. `sure_count`: how many
 * of the first are similar for sure, the others being merely the nearest; undefined: all.
 */
export const listSimilar = defineEndpoint({
  method: 'GET',
  path: '/api/sounds/{id}/similar/',
  reply: v.object({ results: listOf(SoundSchema), sure_count: extra(v.number()) }),
  refuses: [404],
});

/** The effective page size of a listing. */
export function toPageSize(query: SoundQuery): number {
  return query.page_size ?? PAGE_SIZE_DEFAULT;
}

/**
 * Adds or removes a favourite (spec §7: no payload). Our host returns the new state; if a host does not, the client
 * assumes that the change was made.
 */
export const toggleFavorite = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/{id}/toggle-favorite',
  reply: orElse(v.object({ is_favorited: extra(v.boolean()), favorite_count: extra(v.number()) }), {}),
  refuses: [404],
});
