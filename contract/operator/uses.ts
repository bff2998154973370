import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastText } from '../calls/query-values.ts';
import { USE_STATES } from '../artists/uses.ts';
import { StaffReasonSchema } from './operator.ts';

/** Calls of the console about uses. Only our own host has them. Times are epoch ms. */

export const STAFF_USES_MAX = 100;

/** `dismiss`: only for a reported one, which stays hidden. */
export const STAFF_USE_ACTIONS = ['delete', 'dismiss'] as const;
export type StaffUseAction = (typeof STAFF_USE_ACTIONS)[number];

const StaffUseSchema = v.object({
  id: v.string(),
  created_at: v.number(),
  state: v.picklist(USE_STATES),
  address: v.string(),
  title: v.string(),
  /** What the artist reported with it; '' for a use that is not reported. */
  message: v.string(),
  sound: v.string(),
  sound_title: v.string(),
  artist: v.string(),
});
export type StaffUse = v.InferOutput<typeof StaffUseSchema>;

/** The uses that artists reported, oldest first, or the newest of a sound; at most `STAFF_USES_MAX`. */
export const listStaffUses = defineEndpoint({
  method: 'GET',
  path: '/api/operator/uses/',
  query: v.object({ sound: v.optional(v.pipe(lastText, v.maxLength(200, '長すぎます。'))) }),
  reply: v.object({ results: v.array(StaffUseSchema) }),
  refuses: [400],
});

/** Decides on a use. The reason is recorded; nobody is mailed. */
export const decideStaffUse = defineEndpoint({
  method: 'POST',
  path: '/api/operator/uses/{id}/decide/',
  body: v.object({
    action: v.picklist(STAFF_USE_ACTIONS),
    reason: StaffReasonSchema,
  }),
  reply: v.object({}),
  refuses: [400, 403, 409],
});
