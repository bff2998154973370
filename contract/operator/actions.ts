import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastNumber, lastText } from '../calls/query-values.ts';
import { CursorQuery } from './operator.ts';
import { ACTION_KINDS } from './action-texts.ts';

/** Calls of the console about the record of what the staff did. Days are numbers (`toDay`), times epoch ms. */

export const ACTIONS_PAGE_SIZE = 50;
/** One call looks at this many actions at most: the newest of the days, or those from the cursor on. */
export const ACTIONS_READ_MAX = 10_000;
export const ACTION_SEARCH_LENGTH_MAX = 100;

const TextQuery = v.pipe(
  lastText,
  v.maxLength(ACTION_SEARCH_LENGTH_MAX, `${ACTION_SEARCH_LENGTH_MAX}文字以内で入力してください。`),
);
const DayQuery = v.pipe(
  lastNumber,
  v.integer('日付の指定が正しくありません。'),
  v.minValue(0, '日付の指定が正しくありません。'),
  v.maxValue(100_000, '日付の指定が正しくありません。'),
);

export const StaffActionSchema = v.object({
  id: v.string(),
  at: v.number(),
  /** null for an action of the server after a time limit. */
  staff: v.nullable(v.string()),
  action: v.string(),
  /** The id or name of what it was done with. */
  subject: v.string(),
  note: v.string(),
  /** What has a page in the console: the subject, or the member or sound that it is about; null once it is gone. */
  about: v.nullable(
    v.object({ kind: v.picklist(['member', 'sound', 'report']), id: v.string(), name: v.string() }),
  ),
});
export type StaffAction = v.InferOutput<typeof StaffActionSchema>;

const FILTER = {
  /** Part of the action, also in Japanese, of the staff member's name, the subject or the note. */
  search: v.optional(TextQuery),
  kind: v.optional(v.pipe(lastText, v.picklist(ACTION_KINDS, '種類の指定が正しくありません。'))),
  /** The username of the staff account. */
  staff: v.optional(TextQuery),
  /** The first and the last day in Japan. */
  from: v.optional(DayQuery),
  to: v.optional(DayQuery),
};

/** A page of the record of what the staff did, newest first; of a search, the part that is in `ACTIONS_READ_MAX` actions. */
export const listActions = defineEndpoint({
  method: 'GET',
  path: '/api/operator/actions/',
  query: v.object({
    ...FILTER,
    cursor: CursorQuery,
  }),
  reply: v.object({
    results: v.array(StaffActionSchema),
    next: v.nullable(v.string()),
    /** The time of the newest action that was not looked at, if that is why the page ends; else null. */
    unread_at: v.nullable(v.number()),
  }),
  refuses: [400],
});

/** The list of actions as a file for spreadsheets. `has_more`: there are older actions that were not looked at. */
export const exportActions = defineEndpoint({
  method: 'GET',
  path: '/api/operator/actions/csv/',
  query: v.object(FILTER),
  reply: v.object({ csv: v.string(), has_more: v.boolean() }),
  refuses: [400],
});
