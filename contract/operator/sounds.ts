import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastText } from '../calls/query-values.ts';
import { REPORT_REASONS, REPORT_STATES } from '../reports.ts';
import { StaffActionSchema } from './actions.ts';
import { CountSchema, StaffReasonSchema, toPageQuery } from './operator.ts';

/** Calls of the console about sounds. For everyone but the staff they do not exist. Days are numbers (`toDay`), times epoch ms. */

export const SOUNDS_PAGE_SIZE = 50;
/** Further pages are not read: a longer beginning of the title finds fewer sounds. */
export const SOUNDS_PAGE_MAX = 100;
export const SOUND_SEARCH_LENGTH_MAX = 200;
/** Credits of one sound are counted up to this number in each state. */
export const SOUND_CREDITS_MAX = 100_000;
/** Days of downloads that a sound is shown with. */
export const SOUND_DAYS = 30;

/**
 * `private`: its artist has not published it. `hidden`: by the staff. `withheld`: its artist is suspended, or the account
 * is being deleted. `deleted`: by its artist, who can bring it back for a week.
 */
export const SOUND_STATES = ['public', 'private', 'hidden', 'withheld', 'deleted'] as const;
export type SoundState = (typeof SOUND_STATES)[number];

const FOUND = {
  id: v.string(),
  title: v.string(),
  /** The username. */
  artist: v.string(),
  state: v.picklist(SOUND_STATES),
  downloads: CountSchema,
  created_at: v.number(),
};
const FoundSoundSchema = v.object(FOUND);
export type FoundSound = v.InferOutput<typeof FoundSoundSchema>;

const SearchText = v.pipe(
  lastText,
  v.maxLength(SOUND_SEARCH_LENGTH_MAX, `${SOUND_SEARCH_LENGTH_MAX}文字以内で入力してください。`),
);

/**
 * Sounds whose title starts with the text, by title; all without a text, newest first. With an artist, only those of the
 * member with this username, newest first. An id finds its sound, whatever the other fields are.
 */
export const searchStaffSounds = defineEndpoint({
  method: 'GET',
  path: '/api/operator/sounds/',
  query: v.object({
    search: v.optional(SearchText),
    artist: v.optional(SearchText),
    state: v.optional(v.pipe(lastText, v.picklist(SOUND_STATES, '状態の指定が正しくありません。'))),
    page: toPageQuery(SOUNDS_PAGE_MAX),
  }),
  reply: v.object({ results: v.array(FoundSoundSchema), has_more: v.boolean() }),
  refuses: [400],
});

export const SOUND_DECISIONS = ['hide', 'unhide', 'delete'] as const;
export type SoundDecision = (typeof SOUND_DECISIONS)[number];

/** `count` ends at `SOUND_CREDITS_MAX`; `yen` are those of the counted ones, the newest. */
const CreditsSchema = v.object({ count: CountSchema, yen: CountSchema });

const SoundSchema = v.object({
  ...FOUND,
  artist_id: v.string(),
  type: v.string(),
  description: v.string(),
  filename: v.string(),
  duration_ms: v.number(),
  favorites: CountSchema,
  /** null for a sound that the staff has not hidden. */
  hidden_reason: v.nullable(v.string()),
  /** Plays it for an hour, whatever its state; null for a deleted one. */
  audio: v.nullable(v.string()),
  /** The newest 20. Nothing about the reporters. */
  reports: v.array(
    v.object({
      id: v.string(),
      created_at: v.number(),
      state: v.picklist(REPORT_STATES),
      reason: v.picklist(REPORT_REASONS),
    }),
  ),
  /** The last 30 days up to today, oldest first: completed downloads, and the yen that they have earned. */
  days: v.array(v.object({ day: v.number(), downloads: CountSchema, yen: CountSchema })),
  /** `refused`: never credited, or rejected or reversed by the staff; the never credited ones are deleted in time. */
  credits: v.object({ credited: CreditsSchema, held: CreditsSchema, refused: CreditsSchema }),
  /** The newest 20 actions of the staff on the sound and on its reports. */
  actions: v.array(StaffActionSchema),
  /** The caller is the artist, and cannot decide. */
  is_own: v.boolean(),
  /** What the caller may do now. */
  allowed: v.array(v.picklist(SOUND_DECISIONS)),
});
export type ReviewedSound = v.InferOutput<typeof SoundSchema>;

/** One sound with what a decision needs. */
export const getStaffSound = defineEndpoint({
  method: 'GET',
  path: '/api/operator/sounds/{id}/',
  reply: SoundSchema,
});

/** Hides a sound, shows it again or deletes it permanently. The artist is mailed. */
export const decideOnSound = defineEndpoint({
  method: 'POST',
  path: '/api/operator/sounds/{id}/decide/',
  body: v.object({
    action: v.picklist(SOUND_DECISIONS),
    /** Shown to the artist; not for `unhide`. */
    reason: v.optional(StaffReasonSchema, ''),
  }),
  reply: v.object({ action: v.picklist(SOUND_DECISIONS) }),
  refuses: [400, 403, 409],
});
