import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastText } from '../calls/query-values.ts';
import { CountSchema, CursorQuery, StaffReasonSchema } from './operator.ts';
import { REPORT_REASONS, REPORT_STATES } from '../reports.ts';

/** Calls of the console's page for reports of sounds. Only our own host has them. Times are epoch ms. */

/**
 * What the staff can list. `open`: all that are not decided; `due`: those whose artist has had the time to answer;
 * `held`: those whose artist is notified only after the staff decides so; `asked`: those that wait for the artist; `unconfirmed`:
 * those that wait for the reporter; `closed`: the decided ones, newest first.
 */
export const REPORT_LISTS = ['open', 'due', 'held', 'asked', 'unconfirmed', 'closed'] as const;
export type ReportList = (typeof REPORT_LISTS)[number];

/** What the staff can do with a report. */
export const REPORT_ACTIONS = ['ask', 'hide', 'restore', 'delete', 'dismiss'] as const;
export type ReportAction = (typeof REPORT_ACTIONS)[number];

/**
 * Whether the artist has been notified of a confirmed report. `queued`: it is in the next mail; `held`: there were too
 * many, and the staff decides whether to notify the artist; `asked`: the artist was mailed, and the time to answer runs.
 */
export const ASKING = ['queued', 'held', 'asked'] as const;
export type Asking = (typeof ASKING)[number];

/** What the list and the details show. */
const shared = {
  id: v.string(),
  /** A decision names it, so that it is about what was seen. */
  version: CountSchema,
  created_at: v.number(),
  /** When the state last changed. */
  updated_at: v.number(),
  state: v.picklist(REPORT_STATES),
  asking: v.picklist(ASKING),
  /** The artist's deadline has passed: a decision is due. */
  is_overdue: v.boolean(),
  /** When the current deadline ends; null without one. */
  due_at: v.nullable(v.number()),
  reason: v.picklist(REPORT_REASONS),
  sound: v.string(),
  sound_title: v.string(),
  /** null once the account is deleted. */
  artist: v.nullable(v.string()),
};

/** Nothing about the reporter. */
const LineSchema = v.object(shared);
export type ReportLine = v.InferOutput<typeof LineSchema>;

/** A page of reports, overdue ones first. */
export const listStaffReports = defineEndpoint({
  method: 'GET',
  path: '/api/operator/reports/',
  query: v.object({
    list: v.optional(v.pipe(lastText, v.picklist(REPORT_LISTS, '一覧の指定が正しくありません。'))),
    /** `next` of the page before. */
    cursor: CursorQuery,
  }),
  reply: v.object({ results: v.array(LineSchema), next: v.nullable(v.string()) }),
  refuses: [400],
});

const DetailsSchema = v.object({
  ...shared,
  /** null once the sound is deleted. */
  audio: v.nullable(
    v.object({
      /** Plays the sound for an hour, even while it is hidden. */
      url: v.string(),
      is_public: v.boolean(),
      /** Hidden by the staff. */
      is_hidden: v.boolean(),
      downloads: CountSchema,
      favorites: CountSchema,
    }),
  ),
  /** Open reports of the same sound besides this one. */
  others: CountSchema,
  /** The reporter, and what the reporter wrote. */
  name: v.string(),
  email: v.string(),
  is_confirmed: v.boolean(),
  /** The artist may learn the name. */
  shares_name: v.boolean(),
  relation: v.string(),
  explanation: v.string(),
  /** The artist's; '' without one. */
  answer: v.string(),
  /** Oldest first. */
  history: v.array(
    v.object({
      event: v.string(),
      state: v.picklist(REPORT_STATES),
      at: v.number(),
      reason: v.string(),
      /** The staff account; null for events that are not a decision. */
      by: v.nullable(v.string()),
    }),
  ),
  /** The caller is the artist, and cannot decide. */
  is_own: v.boolean(),
  /** What the caller may do now. */
  allowed: v.array(v.picklist(REPORT_ACTIONS)),
});
export type ReportDetails = v.InferOutput<typeof DetailsSchema>;

/** One report with everything that a decision needs. */
export const getStaffReport = defineEndpoint({
  method: 'GET',
  path: '/api/operator/reports/{id}/',
  reply: DetailsSchema,
});

/** Decides on a report and its sound. Both sides are mailed the reason. */
export const decideStaffReport = defineEndpoint({
  method: 'POST',
  path: '/api/operator/reports/{id}/decide/',
  body: v.object({
    action: v.picklist(REPORT_ACTIONS),
    reason: StaffReasonSchema,
    version: CountSchema,
  }),
  reply: v.object({ state: v.picklist(REPORT_STATES) }),
  refuses: [400, 403, 409],
});
