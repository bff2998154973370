import * as v from 'valibot';
import { SessionUserSchema } from './accounts.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { OwnPayoutSchema } from '../payouts/payouts.ts';
import { ADDED_FIELDS, PROFILE_FIELDS, type ProfileField } from './profile-fields.ts';
import { lastWholeNumber } from '../calls/query-values.ts';
import {
  DoneSchema,
  FileUrlSchema,
  FlagSchema,
  type Read,
  TextSchema,
  extra,
  orElse,
} from '../calls/wire.ts';

/** A figure: a number, a text, or `-` for none (spec §2). */
const FigureSchema = orElse(v.union([v.number(), v.string()]), '-');

/** A month's earnings; `month` is `2026-11`. */
export const MonthFiguresSchema = v.object({
  month: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/)),
  reward: v.number(),
  downloads: v.number(),
});
export type MonthFigures = Read<typeof MonthFiguresSchema>;

/** When pending rewards are added to the balance. Days are Japan's, as `2026-12-01`; amounts are yen. */
export const PendingReleaseSchema = v.object({
  /** Pending part of the earnings until the end of last month. */
  until_last_month: v.number(),
  next_on: v.string(),
  next_amount: v.number(),
  /** The day on which all currently pending rewards will have been added. */
  last_on: v.string(),
});
export type PendingRelease = v.InferOutput<typeof PendingReleaseSchema>;

/** An open payout request; times are ISO 8601, UTC. */
export const OpenPayoutSchema = v.object({
  amount: v.number(),
  requested_at: v.string(),
});

/** The state of the newest application for the quality check; times are ISO 8601, UTC. */
export const QualityCheckStandingSchema = v.object({
  submitted_at: v.string(),
  decided_at: v.optional(v.string()),
  state: v.picklist(['pending', 'approved', 'rejected']),
  /** The reason for a rejection. */
  reason: v.optional(v.string()),
});

/** A profile as its owner gets it (spec §3). Only our own host sends the fields at the end. */
export const ProfileSchema = v.object({
  ...SessionUserSchema.entries,
  name: TextSchema,
  furigana: TextSchema,
  bio: TextSchema,
  profile_background: FileUrlSchema,
  message_email: TextSchema,
  donation_url: TextSchema,
  bank_name: TextSchema,
  branch_name: TextSchema,
  deposit_type: TextSchema,
  account_number: TextSchema,
  phone_number: TextSchema,
  personal_info_status: TextSchema,
  is_personal_info_verified: FlagSchema,
  is_verified: FlagSchema,
  is_blocked: FlagSchema,
  status: TextSchema,
  /** Yen earned until the end of last month; the amount of a payout. */
  reward_balance: FigureSchema,
  /** Counted downloads in total. */
  total_download_balance: FigureSchema,
  /** For the requested month. */
  month_reward_balance: FigureSchema,
  month_total_download_balance: FigureSchema,
  ...v.entriesFromList(ADDED_FIELDS, v.optional(v.string())),
  /** Why the member is suspended. Nothing of a suspended member is visible to others. */
  suspension_reason: v.optional(v.string()),
  /** Whether the member may open the console at /operator. Absent for everyone else. */
  is_staff: v.optional(v.boolean()),
  /** The new address, until it is confirmed. */
  pending_email: v.optional(v.string()),
  /** The new address for messages, until it is confirmed; messages still go to the previous one. */
  pending_message_email: v.optional(v.string()),
  /** No payout can be requested until this time because the payee details were changed; ISO 8601, UTC. */
  payout_held_until: v.optional(v.string()),
  /** When the ID was sent, and why it was rejected. */
  personal_info_submitted_at: v.optional(v.string()),
  personal_info_reason: v.optional(v.string()),
  quality_check: v.optional(QualityCheckStandingSchema),
  /**
   * Whether a member who is not verified has sounds, from before the quality check was revoked. Absent for everyone else.
   */
  has_sounds: v.optional(v.boolean()),
  /** Yen of recent days that are not confirmed yet, and the number of days until they are. */
  pending_reward: extra(v.number()),
  pending_days: extra(v.number()),
  pending_release: v.optional(PendingReleaseSchema),
  transfer_request: v.optional(OpenPayoutSchema),
  /** The newest payout request once it is decided; another one can then be made. */
  last_transfer: v.optional(OwnPayoutSchema),
  /** The last twelve months, newest first. */
  months: extra(v.array(MonthFiguresSchema)),
  /** The first month that can have figures (`2026-11`): that of the registration, or of earlier earnings. */
  first_month: extra(v.string()),
});
export type Profile = Read<typeof ProfileSchema>;

export const getProfile = defineEndpoint({
  method: 'GET',
  path: '/api/account/profile/',
  query: v.object({
    month: v.optional(lastWholeNumber(1, 12, '月は1から12までの整数で指定してください。')),
    year: v.optional(lastWholeNumber(2_000, 2_100, '年は2000から2100までの整数で指定してください。')),
  }),
  reply: ProfileSchema,
  refuses: [400],
});

const { entries: fields } = v.partial(v.object(PROFILE_FIELDS));
/** Longer than any field. */
const READ_LENGTH_MAX = 10_000;
const ReadFieldSchema = v.optional(v.pipe(v.string(), v.maxLength(READ_LENGTH_MAX, '長すぎます。')));
/** What fields said when they were read. */
export const ReadFieldsSchema = v.strictObject(
  v.entriesFromList(Object.keys(fields) as ProfileField[], ReadFieldSchema),
  'この項目は変更できません。',
);

/**
 * Any of the fields. Unknown keys are rejected by name. `read`: what fields said when they were read; the change is refused
 * (409) if one of them says something else by now.
 */
export const ProfileChangeSchema = v.pipe(
  v.strictObject(
    {
      ...fields,
      read: v.optional(ReadFieldsSchema),
    },
    'この項目は変更できません。',
  ),
  v.check(
    (change) => Object.keys(change).some((name) => name !== 'read'),
    '変更する項目を指定してください。',
  ),
);
export type ProfileChange = Omit<v.InferOutput<typeof ProfileChangeSchema>, 'read'>;
export type ReadFields = v.InferOutput<typeof ReadFieldsSchema>;

/** The reply shows whether an address has to be confirmed; other hosts may reply with anything. */
export const updateProfile = defineEndpoint({
  method: 'PATCH',
  path: '/api/account/update-profile/',
  body: ProfileChangeSchema,
  reply: orElse(ProfileSchema, undefined),
  refuses: [400, 403, 409],
});

/** 10 MB: enough for a photograph taken with a phone. */
export const PICTURE_BYTES_MAX = 10 * 1024 * 1024;

/** The picture's new address. */
export const PictureChangedSchema = orElse(v.object({ profile_picture: FileUrlSchema }), undefined);
export const BackgroundChangedSchema = orElse(v.object({ profile_background: FileUrlSchema }), undefined);

export const updateProfilePicture = defineEndpoint({
  method: 'POST',
  path: '/api/account/update-profile-picture/',
  form: { files: ['profile_picture'], fileBytesMax: PICTURE_BYTES_MAX },
  reply: PictureChangedSchema,
  refuses: [400, 403, 413],
});

export const updateProfileBackground = defineEndpoint({
  method: 'POST',
  path: '/api/account/update-profile-background/',
  form: { files: ['profile_background'], fileBytesMax: PICTURE_BYTES_MAX },
  reply: BackgroundChangedSchema,
  refuses: [400, 403, 413],
});

export const PersonalInfoAcceptedSchema = orElse(
  v.object({ detail: v.string(), personal_info_status: v.string() }),
  undefined,
);

/** Sends a photograph of an ID for review by the staff (spec §4). */
export const verifyPersonalInfo = defineEndpoint({
  method: 'POST',
  path: '/api/account/verify-personal-info/',
  form: { files: ['personal_id_image'], fileBytesMax: PICTURE_BYTES_MAX },
  reply: PersonalInfoAcceptedSchema,
  refuses: [400, 403, 409, 413],
});

const confirmation = {
  method: 'POST',
  body: v.object({ token: v.pipe(v.optional(v.string(), ''), v.maxLength(200, '長すぎます。')) }),
  reply: DoneSchema,
  refuses: [400],
} as const;

/** Confirms an address by the token mailed to it. Only the account's owner can do so. Specific to our host. */
export const confirmEmail = defineEndpoint({ ...confirmation, path: '/api/account/confirm-email/' });

/** Confirms the address for messages in the same way. */
export const confirmMessageEmail = defineEndpoint({
  ...confirmation,
  path: '/api/account/confirm-message-email/',
});
