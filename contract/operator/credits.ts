import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { CountSchema, StaffReasonSchema } from './operator.ts';
import { lastNumber, lastText } from '../calls/query-values.ts';
import { TextSchema } from '../calls/wire.ts';

/** Calls of the console at /operator for held credits. Days are numbers (`toDay`), times epoch ms, amounts yen. */

/** Groups, or credits, in one reply. */
export const CREDITS_PAGE_SIZE = 50;
const PAGE_MAX = 1_000;
const DAY_MAX = 100_000;

const DaySchema = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(DAY_MAX));
const IdSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(200));

const HeldGroupSchema = v.object({
  artist_id: v.string(),
  username: v.string(),
  /** Day of the downloads in Japan. */
  day: v.number(),
  credits: CountSchema,
  yen: CountSchema,
  /** How many are held for each reason. */
  reasons: v.array(v.object({ reason: v.string(), credits: CountSchema })),
  /** The moment of the last download. */
  newest_at: v.number(),
  /** Why the group cannot be approved now, for the staff; '' if it can. It can always be rejected. */
  obstacle: v.string(),
});
export type HeldGroup = v.InferOutput<typeof HeldGroupSchema>;

/** Held credits by artist and day, the oldest day first; those after a group if its day and artist are given. */
export const listHeldGroups = defineEndpoint({
  method: 'GET',
  path: '/api/operator/credit-groups/',
  query: v.object({
    after_day: v.optional(v.pipe(lastNumber, DaySchema)),
    after_artist: v.optional(v.pipe(lastText, IdSchema)),
  }),
  reply: v.object({ results: v.array(HeldGroupSchema), has_more: v.boolean() }),
});

const GROUP_ACTIONS = ['approve', 'reject'] as const;
export type GroupAction = (typeof GROUP_ACTIONS)[number];
const CREDIT_ACTIONS = [...GROUP_ACTIONS, 'reverse'] as const;
export type CreditAction = (typeof CREDIT_ACTIONS)[number];

/** For a rejection and a reversal only. */
const ReasonSchema = v.optional(StaffReasonSchema, '');

/**
 * Decides on the credits of a group that are held, up to the last download that the caller has seen. A large group takes
 * several calls.
 */
export const decideHeldGroup = defineEndpoint({
  method: 'POST',
  path: '/api/operator/credit-groups/decide/',
  body: v.object({
    artist_id: IdSchema,
    day: DaySchema,
    until: v.pipe(v.number(), v.integer(), v.minValue(0)),
    action: v.picklist(GROUP_ACTIONS),
    reason: ReasonSchema,
  }),
  reply: v.object({
    credits: CountSchema,
    yen: CountSchema,
    /** Still held. */
    remaining: CountSchema,
  }),
  refuses: [400, 403, 409],
});

export const CREDIT_STATES = ['held', 'credited', 'rejected', 'reversed'] as const;
export type ListedState = (typeof CREDIT_STATES)[number];
/** `refused`: never credited, and never held. */
const LISTED_STATES = [...CREDIT_STATES, 'refused'] as const;

const CreditSchema = v.object({
  id: v.string(),
  created_at: v.number(),
  /** '' from a process of an earlier version. */
  artist: TextSchema,
  yen: CountSchema,
  reason: v.string(),
  /** '' for a sound without a title; null for a deleted one. */
  title: v.nullable(v.string()),
  /** Equal for downloads from one browser, or from one network; '' when it has been deleted. */
  visitor: v.string(),
  network: v.string(),
  decided_at: v.nullable(v.number()),
  /** The staff account; null for a credit that was never held. */
  decided_by: v.nullable(v.string()),
  /** What the caller may do now. */
  allowed: v.array(v.picklist(CREDIT_ACTIONS)),
});
export type Credit = v.InferOutput<typeof CreditSchema>;

/** Credits in a state, of an artist and of a day if they are given: held ones oldest first, all others newest first. */
export const listGroupCredits = defineEndpoint({
  method: 'GET',
  path: '/api/operator/credits/',
  query: v.object({
    artist: v.optional(v.pipe(lastText, IdSchema)),
    day: v.optional(v.pipe(lastNumber, DaySchema)),
    state: v.optional(v.pipe(lastText, v.picklist(LISTED_STATES))),
    page: v.optional(v.pipe(lastNumber, v.integer(), v.minValue(1), v.maxValue(PAGE_MAX))),
  }),
  reply: v.object({ results: v.array(CreditSchema), has_more: v.boolean() }),
  refuses: [400],
});

/** Decides on a held credit, or reverses one that was credited. */
export const decideCredit = defineEndpoint({
  method: 'POST',
  path: '/api/operator/credits/{id}/decide/',
  body: v.object({ action: v.picklist(CREDIT_ACTIONS), reason: ReasonSchema }),
  reply: v.object({ state: v.picklist(['credited', 'rejected', 'reversed']) }),
  refuses: [400, 403, 409],
});
