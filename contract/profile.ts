import * as v from 'valibot';
import { SessionUserSchema } from './accounts.ts';
import { defineEndpoint } from './endpoint.ts';
import { TransferSchema } from './finance.ts';
import { PROFILE_FIELDS } from './profile-fields.ts';
import { ExtraNumberSchema, FileUrlSchema, FlagSchema, TextSchema, extra } from './wire.ts';

/** A figure as hosts send it: a number, a text, or `-` where there is none (spec §2). */
const FigureSchema = v.optional(v.fallback(v.nullable(v.union([v.number(), v.string()]), '-'), '-'), '-');

/** A month's earnings; `month` is `2026-11`. */
const MonthFiguresSchema = v.object({
  month: v.pipe(v.string(), v.regex(/^\d{4}-\d{2}$/)),
  reward: v.number(),
  downloads: v.number(),
});
export type MonthFigures = v.InferOutput<typeof MonthFiguresSchema>;

/**
 * When rewards that wait join the balance. Days are Japan's, as `2026-12-01`; amounts are yen.
 */
const PendingReleaseSchema = v.object({
  /** What waits of the earnings until the end of last month. */
  until_last_month: v.number(),
  next_on: v.string(),
  next_amount: v.number(),
  /** When all that waits now has joined. */
  last_on: v.string(),
});
export type PendingRelease = v.InferOutput<typeof PendingReleaseSchema>;

/** A payout that is under way; times are ISO 8601, UTC. */
const OpenTransferSchema = v.object({
  amount: v.number(),
  requested_at: v.string(),
});

/** Where the newest application for the quality check stands; times are ISO 8601, UTC. */
const QualityCheckStandingSchema = v.object({
  submitted_at: v.string(),
  decided_at: extra(v.string()),
  state: v.picklist(['pending', 'approved', 'rejected']),
  /** Why it was rejected. */
  reason: extra(v.string()),
});

/** A profile as its owner gets it (spec §3). What stands last only our own host sends. */
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
  /** Yen, until the end of last month; what a payout is about. */
  reward_balance: FigureSchema,
  /** Counted downloads, ever. */
  total_download_balance: FigureSchema,
  /** Of the month that was asked for. */
  month_reward_balance: FigureSchema,
  month_total_download_balance: FigureSchema,
  /** Why the member is suspended: then others see nothing of theirs. */
  suspension_reason: extra(v.string()),
  /** The address that waits to be confirmed. */
  pending_email: extra(v.string()),
  /** The address for messages that waits to be confirmed; messages go where they went before. */
  pending_message_email: extra(v.string()),
  /** Until when no payout can be requested, because who is paid was changed; ISO 8601, UTC. */
  payout_held_until: extra(v.string()),
  /** When the ID was sent, and why it was not approved. */
  personal_info_submitted_at: extra(v.string()),
  personal_info_reason: extra(v.string()),
  quality_check: extra(QualityCheckStandingSchema),
  /** Yen of the last days that are not confirmed yet, and by how many days they will be. */
  pending_reward: ExtraNumberSchema,
  pending_days: ExtraNumberSchema,
  pending_release: extra(PendingReleaseSchema),
  transfer_request: extra(OpenTransferSchema),
  /** The newest payout request, once it is decided; another one may be made. */
  last_transfer: extra(TransferSchema),
  /** The last twelve months, the newest first. */
  months: extra(v.array(MonthFiguresSchema)),
  /** The first month that can have figures (`2026-11`): the registration's, or that of earlier earnings. */
  first_month: extra(v.string()),
});
export type Profile = v.InferOutput<typeof ProfileSchema>;

function number(min: number, max: number, problem: string) {
  return v.pipe(
    v.array(v.string()),
    v.transform((values) => values.at(-1) ?? ''),
    v.regex(/^\d{1,4}$/, problem),
    v.transform(Number),
    v.minValue(min, problem),
    v.maxValue(max, problem),
  );
}

export const getProfile = defineEndpoint({
  method: 'GET',
  path: '/api/account/profile/',
  query: v.object({
    month: v.optional(number(1, 12, '月は1から12までの整数で指定してください。')),
    year: v.optional(number(2_000, 2_100, '年は2000から2100までの整数で指定してください。')),
  }),
  reply: ProfileSchema,
  errors: { 400: 'no such month', 401: 'nobody is logged in' },
});

const { username, bio, name, furigana, email, bank_name, branch_name } = PROFILE_FIELDS;
const { deposit_type, account_number, phone_number, message_email, donation_url } = PROFILE_FIELDS;

/** Any of the fields; a key that is none of them is refused by its name. */
export const ProfileChangeSchema = v.pipe(
  v.strictObject(
    {
      username: v.optional(username),
      bio: v.optional(bio),
      name: v.optional(name),
      furigana: v.optional(furigana),
      email: v.optional(email),
      bank_name: v.optional(bank_name),
      branch_name: v.optional(branch_name),
      deposit_type: v.optional(deposit_type),
      account_number: v.optional(account_number),
      phone_number: v.optional(phone_number),
      message_email: v.optional(message_email),
      donation_url: v.optional(donation_url),
    },
    'この項目は変更できません。',
  ),
  v.check((change) => Object.keys(change).length > 0, '変更する項目を指定してください。'),
);
export type ProfileChange = v.InferOutput<typeof ProfileChangeSchema>;

/** Hosts answer with what they like; ours with the profile, which says whether an address has to be confirmed. */
export const updateProfile = defineEndpoint({
  method: 'PATCH',
  path: '/api/account/update-profile/',
  body: ProfileChangeSchema,
  reply: v.fallback(v.object({ pending_message_email: extra(v.string()) }), {}),
  errors: {
    400: 'a field is wrong, taken, locked or unknown; the body names it',
    401: 'nobody is logged in',
    403: 'the body names the fields of a blocked member that others see; or the password has to be given again first (contract/errors.ts)',
    429: 'too many changes',
  },
});

/** 10 MB: a photograph as a phone takes it. */
export const PICTURE_BYTES_MAX = 10 * 1024 * 1024;

const pictureErrors = {
  400: 'the file is missing, or no picture that is taken; the body names it',
  401: 'nobody is logged in',
  403: 'the member is blocked',
  413: 'the picture is too large',
  429: 'too many pictures',
} as const;

export const updateProfilePicture = defineEndpoint({
  method: 'POST',
  path: '/api/account/update-profile-picture/',
  form: { files: ['profile_picture'], fileBytesMax: PICTURE_BYTES_MAX },
  reply: v.unknown(),
  errors: pictureErrors,
});

export const updateProfileBackground = defineEndpoint({
  method: 'POST',
  path: '/api/account/update-profile-background/',
  form: { files: ['profile_background'], fileBytesMax: PICTURE_BYTES_MAX },
  reply: v.unknown(),
  errors: pictureErrors,
});

/** Sends a photograph of an ID to be looked at by the office (spec §4). */
export const verifyPersonalInfo = defineEndpoint({
  method: 'POST',
  path: '/api/account/verify-personal-info/',
  form: { files: ['personal_id_image'], fileBytesMax: PICTURE_BYTES_MAX },
  reply: v.unknown(),
  errors: {
    ...pictureErrors,
    403: 'the password has to be given again first',
    409: 'one is under review or approved already',
  },
});

const confirmation = {
  method: 'POST',
  body: v.object({ token: v.pipe(v.optional(v.string(), ''), v.maxLength(200, '長すぎます。')) }),
  reply: v.unknown(),
  errors: { 400: 'the link is unknown, used, replaced or too old', 401: 'nobody is logged in' },
} as const;

/** Makes the address count that a mail was sent to; by its owner alone. Our host's own call. */
export const confirmEmail = defineEndpoint({ ...confirmation, path: '/api/account/confirm-email/' });

/** The same for the address that messages go to. */
export const confirmMessageEmail = defineEndpoint({
  ...confirmation,
  path: '/api/account/confirm-message-email/',
});
