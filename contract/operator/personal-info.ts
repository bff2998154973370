import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { ReviewHistorySchema, StaffReasonSchema } from './operator.ts';
import { PAYOUT_FIELDS, REVIEWED_FIELDS } from '../accounts/profile-fields.ts';
import { type Read, orElse } from '../calls/wire.ts';

/** Calls of the console for the check of members' IDs. Times are epoch ms. */

/** IDs in one reply. */
export const WAITING_PERSONAL_INFO_MAX = 100;

const WaitingSchema = v.object({ id: v.string(), username: v.string(), submitted_at: v.number() });
export type WaitingPersonalInfo = v.InferOutput<typeof WaitingSchema>;

/** IDs that wait for a decision, oldest first. */
export const listPersonalInfo = defineEndpoint({
  method: 'GET',
  path: '/api/operator/personal-info/',
  reply: v.object({ results: v.array(WaitingSchema) }),
});

const PersonalInfoSchema = v.object({
  id: v.string(),
  username: v.string(),
  state: v.picklist(['pending', 'approved', 'rejected']),
  submitted_at: v.number(),
  /** When it was decided, and by whom; null before, and from a process of an earlier version. */
  decided_at: orElse(v.nullable(v.number()), null),
  decided_by: orElse(v.nullable(v.string()), null),
  /** What the member entered, to compare with the photograph. */
  details: v.object(v.entriesFromList(REVIEWED_FIELDS, v.string())),
  /** Identifies these details; sent with an approval. */
  details_hash: v.string(),
  /** Fields that are empty: the ID cannot be approved before the member fills them in. */
  missing: v.array(v.picklist(PAYOUT_FIELDS)),
  history: ReviewHistorySchema,
  /** What the caller may do now; an approval also needs the photograph to be opened. */
  allowed: v.array(v.picklist(['approve', 'reject'])),
});
export type ReviewedPersonalInfo = Read<typeof PersonalInfoSchema>;

/** What the member entered. The photograph is a call of its own, which is recorded. */
export const getPersonalInfo = defineEndpoint({
  method: 'GET',
  path: '/api/operator/personal-info/{id}/',
  reply: PersonalInfoSchema,
});

const SealedPhotographSchema = v.object({
  /** The sealed JPEG, in base64. */
  sealed: v.string(),
  /** The sealed data key, in base64; null if the host has lost it. */
  sealed_key: v.nullable(v.string()),
  /** Seals open with this context only. */
  context: v.string(),
  /** Identifies the recorded view; sent with an approval. */
  viewed_at: v.number(),
});
/** @internal */
export type SealedPhotograph = v.InferOutput<typeof SealedPhotographSchema>;

/** Records a view and returns the sealed photograph, which the server cannot open. */
export const viewPersonalInfoPhotograph = defineEndpoint({
  method: 'POST',
  path: '/api/operator/personal-info/{id}/view/',
  reply: SealedPhotographSchema,
  refuses: [409],
});

/** Decides on an ID. The view is the one in which the caller opened the photograph beside these details. */
export const reviewPersonalInfo = defineEndpoint({
  method: 'POST',
  path: '/api/operator/personal-info/{id}/review/',
  body: v.variant('action', [
    v.object({
      action: v.literal('approve'),
      viewed_at: v.number(),
      details_hash: v.pipe(v.string(), v.maxLength(100)),
    }),
    v.object({
      action: v.literal('reject'),
      /** The member reads it. */
      reason: StaffReasonSchema,
    }),
  ]),
  reply: v.object({ state: v.picklist(['approved', 'rejected']) }),
  refuses: [400, 409],
});
