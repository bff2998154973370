import * as v from 'valibot';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastNumber, lastText } from '../calls/query-values.ts';
import { SoundFindingsSchema } from '../sounds/sound-findings.ts';

/**
 * Calls of the console at /operator. Only our own host has them, so replies are read strictly. For everyone but the
 * staff they do not exist. Times are epoch ms.
 */

/** Reasons for rejections have this many characters at most. */
export const STAFF_REASON_LENGTH_MAX = 500;
/** As sent. Pasted text may have spaces around it, which the host removes before it counts. */
export const StaffReasonSchema = v.pipe(v.string(), v.maxLength(4 * STAFF_REASON_LENGTH_MAX));

export const CountSchema = v.pipe(v.number(), v.integer());

/** Where a page of a list begins: `next` of the page before. */
export const CursorQuery = v.optional(v.pipe(lastText, v.maxLength(60, 'ページの指定が正しくありません。')));

/** The number of a page, from 1 to `max`. */
export function toPageQuery(max: number) {
  return v.optional(
    v.pipe(
      lastNumber,
      v.integer('ページ番号は整数で指定してください。'),
      v.minValue(1, 'ページ番号は1以上で指定してください。'),
      v.maxValue(max, `ページ番号は${max}以下で指定してください。`),
    ),
  );
}

/** What is waiting for the staff. */
export const QUEUES = [
  'quality-checks',
  'personal-info',
  'transfers',
  'credits',
  'reports',
  'uses',
  'failed-mails',
] as const;
export type QueueName = (typeof QUEUES)[number];
/** Queues are counted up to this number. */
export const QUEUE_COUNT_MAX = 10_000;

export const OverviewSchema = v.object({
  queues: v.array(
    v.object({
      name: v.picklist(QUEUES),
      /** `QUEUE_COUNT_MAX` stands for that number or more. */
      count: CountSchema,
      /** When the one that has waited longest began to wait; null for an empty queue. */
      oldest_at: v.nullable(v.number()),
    }),
  ),
  /** Since midnight in Japan. */
  today: v.object({
    downloads: CountSchema,
    credits: CountSchema,
    credited_yen: CountSchema,
    held: CountSchema,
    /** Not credited because of a cap or a rule. */
    refused: CountSchema,
  }),
  /** Bytes. */
  storage: v.object({ database: v.number(), free: v.number() }),
  /** Each folder of backups that a machine of the site has. */
  backups: v.array(
    v.object({
      host: v.string(),
      /** Null: backups are made by command only. */
      folder: v.nullable(v.string()),
      /** `silent`: the machine has not reported for three hours. */
      condition: v.picklist(['working', 'failing', 'overdue', 'silent']),
      /** When the last backup was made, and when one was last read to its end without a fault; null: never. */
      last_at: v.nullable(v.number()),
      verified_at: v.nullable(v.number()),
      /** The last restore on trial. */
      drill: v.nullable(v.object({ at: v.number(), seconds: v.number(), is_good: v.boolean() })),
      /** Whether the list of erasures beside the backups can be written. */
      has_erasures: v.boolean(),
    }),
  ),
  /** Failing checks of the doctor, by name and as a sentence; those that take long are left to the command. */
  problems: v.array(
    v.object({
      name: v.string(),
      text: v.string(),
      priority: v.picklist(['critical', 'warning', 'info']),
      count: CountSchema,
    }),
  ),
});
export type Overview = v.InferOutput<typeof OverviewSchema>;

/** What the staff sees first. */
export const getOverview = defineEndpoint({
  method: 'GET',
  path: '/api/operator/overview/',
  reply: OverviewSchema,
});

/** What the decoder measured in a file; `unreadable` for one that it could not decode. */
export const FileAnalysisSchema = v.union([
  v.object({
    state: v.literal('read'),
    /** In the format of `encodePeaks`. */
    peaks: v.string(),
    findings: SoundFindingsSchema,
  }),
  v.object({ state: v.literal('unreadable') }),
]);
export type FileAnalysis = v.InferOutput<typeof FileAnalysisSchema>;

const WaitingSchema = v.object({
  id: v.string(),
  username: v.string(),
  submitted_at: v.number(),
  files: CountSchema,
  is_parked: v.boolean(),
});
export type WaitingApplication = v.InferOutput<typeof WaitingSchema>;

/** Applications for the quality check that wait for a decision: oldest first, those put aside last. */
export const listApplications = defineEndpoint({
  method: 'GET',
  path: '/api/operator/quality-checks/',
  reply: v.object({ results: v.array(WaitingSchema) }),
});

const REVIEW_ACTIONS = ['approve', 'reject', 'park', 'unpark'] as const;
export type ReviewAction = (typeof REVIEW_ACTIONS)[number];

const ReviewFileSchema = v.object({
  slot: CountSchema,
  filename: v.string(),
  mime: v.string(),
  size_bytes: v.number(),
  duration_ms: v.number(),
  bit_rate_kbps: v.number(),
  sample_rate_hz: v.number(),
  /** Valid for ten minutes; null once the application is decided. */
  url: v.nullable(v.string()),
  /** null while it is being decoded. */
  analysis: v.nullable(FileAnalysisSchema),
  /** Other members who sent or uploaded the same audio, by username. */
  also_from: v.array(v.string()),
});
export type ReviewFile = v.InferOutput<typeof ReviewFileSchema>;

export const ReviewHistorySchema = v.array(
  v.object({
    state: v.picklist(['approved', 'rejected']),
    decided_at: v.number(),
    reason: v.string(),
    decided_by: v.nullable(v.string()),
  }),
);
export type ReviewHistory = v.InferOutput<typeof ReviewHistorySchema>;

const ApplicationSchema = v.object({
  id: v.string(),
  username: v.string(),
  email: v.string(),
  types: v.array(v.string()),
  state: v.picklist(['pending', 'approved', 'rejected']),
  submitted_at: v.number(),
  decided_at: v.nullable(v.number()),
  /** The staff account that decided. */
  decided_by: v.nullable(v.string()),
  reason: v.string(),
  is_parked: v.boolean(),
  files: v.array(ReviewFileSchema),
  /** Earlier decisions on applications of the same member, newest first. */
  history: ReviewHistorySchema,
  /** What the caller may do now. */
  allowed: v.array(v.picklist(REVIEW_ACTIONS)),
});
export type ReviewedApplication = v.InferOutput<typeof ApplicationSchema>;

/** One application with everything that a decision needs. */
export const getApplication = defineEndpoint({
  method: 'GET',
  path: '/api/operator/quality-checks/{id}/',
  reply: ApplicationSchema,
});

/** Decides on an application, or puts it aside. */
export const reviewApplication = defineEndpoint({
  method: 'POST',
  path: '/api/operator/quality-checks/{id}/review/',
  body: v.object({
    action: v.picklist(REVIEW_ACTIONS),
    /** Shown to the member; for a rejection only. */
    reason: v.optional(StaffReasonSchema, ''),
  }),
  reply: v.object({ state: v.picklist(['pending', 'approved', 'rejected']) }),
  refuses: [400, 409],
});

/** Payout requests in one call. */
export const PAYOUTS_MAX = 500;

const PayoutSchema = v.object({
  id: v.string(),
  created_at: v.number(),
  /** Yen. */
  amount: CountSchema,
  username: v.string(),
  email: v.string(),
  name: v.string(),
  furigana: v.string(),
  bank_name: v.string(),
  branch_name: v.string(),
  deposit_type: v.string(),
  account_number: v.string(),
  /** Why it cannot be paid now, for the staff; '' if it can. */
  obstacle: v.string(),
});
export type Payout = v.InferOutput<typeof PayoutSchema>;

/** Payout requests that wait, oldest first, with the accounts to pay to. */
export const listPayouts = defineEndpoint({
  method: 'GET',
  path: '/api/operator/payouts/',
  reply: v.object({ results: v.array(PayoutSchema) }),
});

export const DECIDED_PAYOUTS_PAGE_SIZE = 50;
export const DECIDED_PAYOUTS_PAGE_MAX = 1_000;

const DecidedPayoutSchema = v.object({
  id: v.string(),
  created_at: v.number(),
  decided_at: v.number(),
  /** The staff account that decided. */
  decided_by: v.nullable(v.string()),
  state: v.picklist(['paid', 'refused']),
  /** Yen. */
  amount: CountSchema,
  member_id: v.string(),
  username: v.string(),
  /** Why it was refused; '' for a paid one. */
  reason: v.string(),
});
export type DecidedPayout = v.InferOutput<typeof DecidedPayoutSchema>;

/** Payout requests that were paid or refused, the latest decision first. */
export const listDecidedPayouts = defineEndpoint({
  method: 'GET',
  path: '/api/operator/payouts/decided/',
  query: v.object({ page: toPageQuery(DECIDED_PAYOUTS_PAGE_MAX) }),
  reply: v.object({ results: v.array(DecidedPayoutSchema), has_more: v.boolean() }),
  refuses: [400],
});

/**
 * Books requests as paid after the bank transfer. `total` is what the bank transferred: nothing is booked unless it is
 * the sum of the requests. Requests that cannot be booked are named with the reason; the others are.
 */
export const payPayouts = defineEndpoint({
  method: 'POST',
  path: '/api/operator/payouts/pay/',
  body: v.object({
    ids: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(PAYOUTS_MAX)),
    total: CountSchema,
  }),
  reply: v.object({
    paid: v.array(v.string()),
    refused: v.array(v.object({ id: v.string(), reason: v.string() })),
  }),
  refuses: [400, 409],
});

/** Refuses a request and returns the yen to the artist. */
export const refusePayout = defineEndpoint({
  method: 'POST',
  path: '/api/operator/payouts/{id}/refuse/',
  body: v.object({ reason: StaffReasonSchema }),
  reply: v.object({ state: v.literal('refused') }),
  refuses: [400, 409],
});
