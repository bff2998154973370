import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastText } from '../calls/query-values.ts';
import { StaffActionSchema } from './actions.ts';
import { StaffReasonSchema } from './operator.ts';

/** Calls of the console about members. For everyone but the staff they do not exist. Times are epoch ms. */

/** Members that one search returns at most. */
export const MEMBERS_FOUND_MAX = 50;
/** An e-mail address is no longer (RFC 5321). */
export const MEMBER_SEARCH_LENGTH_MAX = 254;

/** `blocked`: cannot publish or be paid. `suspended`: also hidden from everyone. `deleting`: hidden until it is deleted. */
const StateSchema = v.picklist(['active', 'blocked', 'suspended', 'deleting']);
export type MemberState = v.InferOutput<typeof StateSchema>;

const FOUND = {
  id: v.string(),
  username: v.string(),
  created_at: v.number(),
  state: StateSchema,
  is_staff: v.boolean(),
  quality_check: v.picklist(['none', 'pending', 'passed']),
};
const FoundMemberSchema = v.object(FOUND);
export type FoundMember = v.InferOutput<typeof FoundMemberSchema>;

/** Addresses that one search by domain compares at most. */
export const DOMAIN_ADDRESSES_MAX = 20_000;

/**
 * Members whose username or e-mail address starts with the text, or whose full name, its reading or id it is; none
 * without a text. `@example.jp` finds addresses by the beginning of the domain, and `tanaka @example.jp` those of them
 * that have all texts before the @.
 * The reply contains nothing that other members cannot see, except for the state.
 */
export const searchMembers = defineEndpoint({
  method: 'GET',
  path: '/api/operator/members/',
  query: v.object({
    search: v.optional(
      v.pipe(
        lastText,
        v.maxLength(MEMBER_SEARCH_LENGTH_MAX, `${MEMBER_SEARCH_LENGTH_MAX}文字以内で入力してください。`),
      ),
    ),
  }),
  reply: v.object({
    results: v.array(FoundMemberSchema),
    has_more: v.boolean(),
    /** Only `DOMAIN_ADDRESSES_MAX` of the domain were compared. */
    is_partial: v.boolean(),
  }),
  refuses: [400],
});

export const MEMBER_DECISIONS = [
  'block',
  'unblock',
  'suspend',
  'unsuspend',
  'end-sessions',
  'revoke-quality-check',
] as const;
export type MemberDecision = (typeof MEMBER_DECISIONS)[number];

const YenSchema = v.pipe(v.number(), v.integer());

const MemberSessionSchema = v.object({
  started_at: v.number(),
  /** When its tokens were last renewed, which happens every few minutes of use. */
  used_at: v.number(),
  /** When the password was last given. */
  authenticated_at: v.number(),
  /** Where it began: the kind of device, and the network of the address (IPv4 /24, IPv6 /48); '' if not known. */
  device: v.string(),
  network: v.string(),
});
export type MemberSession = v.InferOutput<typeof MemberSessionSchema>;

const PayoutSchema = v.object({
  id: v.string(),
  created_at: v.number(),
  amount: YenSchema,
  state: v.picklist(['requested', 'paid', 'refused']),
  decided_at: v.nullable(v.number()),
  /** Why it was refused; otherwise ''. */
  reason: v.string(),
});

const MemberMailSchema = v.object({
  id: v.string(),
  created_at: v.number(),
  subject: v.string(),
  /** A `waiting` one is tried again for a day, and is then `given-up`, without its text. */
  state: v.picklist(['waiting', 'sent', 'given-up']),
  attempts: v.pipe(v.number(), v.integer()),
  /** Of the last attempt that failed; '' if none has. */
  last_error: v.string(),
  /** Of a mail that came back, as in RFC 3463; '' for none. */
  bounce_status: v.string(),
});
export type MemberMail = v.InferOutput<typeof MemberMailSchema>;

const MemberSchema = v.object({
  ...FOUND,
  email: v.string(),
  name: v.string(),
  furigana: v.string(),
  personal_info: v.picklist(['none', 'pending', 'confirmed', 'rejected']),
  /** null for a member who is not suspended. */
  suspension_reason: v.nullable(v.string()),
  deletion_requested_at: v.nullable(v.number()),
  /** All of them, also private ones. */
  sounds: v.pipe(v.number(), v.integer()),
  /** What a payout would transfer now, and what is not final yet. */
  reward: v.object({ payable: YenSchema, pending: YenSchema }),
  /** The newest 10 requests. */
  payouts: v.array(PayoutSchema),
  /** The newest 20 to the address, of those that are still stored. */
  mails: v.array(MemberMailSchema),
  /** Those that have not ended, the last used first; at most 50. */
  sessions: v.array(MemberSessionSchema),
  /** The newest 20 actions of the staff on the member and on what the member applied for. */
  actions: v.array(StaffActionSchema),
  /** What the caller may do now. */
  allowed: v.array(v.picklist(MEMBER_DECISIONS)),
});
export type ReviewedMember = v.InferOutput<typeof MemberSchema>;

/** One member with what a decision needs. */
export const getMember = defineEndpoint({
  method: 'GET',
  path: '/api/operator/members/{id}/',
  reply: MemberSchema,
});

export const decideOnMember = defineEndpoint({
  method: 'POST',
  path: '/api/operator/members/{id}/decide/',
  body: v.object({
    action: v.picklist(MEMBER_DECISIONS),
    /** Shown to the member; for a suspension and for a quality check that is taken back. */
    reason: v.optional(StaffReasonSchema, ''),
  }),
  reply: v.object({ action: v.picklist(MEMBER_DECISIONS) }),
  refuses: [400, 403, 409],
});

/** Sends a mail that waits for another attempt now. */
export const retryMemberMail = defineEndpoint({
  method: 'POST',
  path: '/api/operator/mails/{id}/retry/',
  reply: v.object({ detail: v.string() }),
});
