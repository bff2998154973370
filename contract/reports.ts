import * as v from 'valibot';
import { EmailSchema } from './values/emails.ts';
import { defineEndpoint } from './calls/endpoint.ts';
import { lineField, requiredLine, requiredText } from './values/texts.ts';
import { DoneSchema, IdSchema, type Read, TextSchema, extra, listOf } from './calls/wire.ts';

/** Reports of sounds by visitors, for example of a copyright infringement. */

export const REPORT_REASONS = ['copyright', 'likeness', 'terms', 'other'] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** As people read them. */
export const REASON_LABELS: Readonly<Record<ReportReason, string>> = {
  copyright: '著作権の侵害',
  likeness: '肖像・プライバシーの侵害',
  terms: '利用規約への違反',
  other: 'その他',
};

/** The reporter claims a right of their own or of a client: the relation to it has to be stated. */
export function isRightsReason(reason: string): boolean {
  return reason === 'copyright' || reason === 'likeness';
}

/** What can become of a report (decision 089). `…-hidden`: the sound is hidden until the decision. */
export const REPORT_STATES = [
  'unconfirmed',
  'waiting',
  'waiting-hidden',
  'answered',
  'answered-hidden',
  'unanswered',
  'unanswered-hidden',
  'hidden',
  'deleted',
  'dismissed',
  'restored',
  'lapsed',
  'gone',
] as const;
export type ReportState = (typeof REPORT_STATES)[number];

export const REPORT_NAME_LENGTH_MAX = 100;
export const REPORT_RELATION_LENGTH_MAX = 200;
export const REPORT_LENGTH_MAX = 4_000;
export const ANSWER_LENGTH_MAX = 2_000;
/** Days in which the reporter has to open the mailed link. */
export const CONFIRMATION_DAYS = 3;
/**
 * Whole days for the artist's answer, after the day of the mail; see decision 089. Seven days is the time after
 * which 情報流通プラットフォーム対処法 第3条第2項第2号 permits a provider to act when the sender has not objected.
 */
export const ANSWER_DAYS = 7;

const flag = v.optional(v.boolean('true か false を指定してください。'), false);

export const ReportSchema = v.pipe(
  v.object({
    reason: v.picklist(REPORT_REASONS, '理由を選んでください。'),
    name: requiredLine('お名前', REPORT_NAME_LENGTH_MAX),
    email: EmailSchema,
    explanation: requiredText('説明', REPORT_LENGTH_MAX),
    /** How the reporter is related to the right: the owner, an agent of the owner; required for rights. */
    relation: v.optional(lineField('権利との関係', REPORT_RELATION_LENGTH_MAX), ''),
    /** The reporter states that the report is true; required for rights. */
    is_truthful: flag,
    /** The artist may learn the name. */
    shares_name: flag,
  }),
  v.forward(
    v.partialCheck(
      [['reason'], ['relation']],
      ({ reason, relation }) => !isRightsReason(reason) || relation !== '',
      '権利との関係を入力してください。',
    ),
    ['relation'],
  ),
  v.forward(
    v.partialCheck(
      [['reason'], ['is_truthful']],
      ({ reason, is_truthful }) => !isRightsReason(reason) || is_truthful,
      '内容が事実であることを確認してください。',
    ),
    ['is_truthful'],
  ),
);

/**
 * Reports a public sound. The reply does not tell whether the sound was reported before: the mail does. The artist
 * is notified of the report only after its address is confirmed.
 */
export const submitReport = defineEndpoint({
  method: 'POST',
  path: '/api/sounds/{id}/reports/',
  body: ReportSchema,
  reply: DoneSchema,
  refuses: [400, 404],
});

export const ReportEventSchema = v.object({
  /** What happened, such as `answer`; see the state machine of the host. */
  event: v.string(),
  state: v.picklist(REPORT_STATES),
  /** ISO 8601, UTC. */
  at: v.string(),
  /** The reason that the staff gave; '' for other events. */
  reason: TextSchema,
});

/** Both sides see these. */
const shared = {
  id: IdSchema,
  sound: IdSchema,
  sound_title: TextSchema,
  reason: v.picklist(REPORT_REASONS),
  explanation: TextSchema,
  state: v.picklist(REPORT_STATES),
  /** When the current deadline ends, in ISO 8601; null without one. */
  due_at: extra(v.nullable(v.string())),
  history: listOf(ReportEventSchema),
};

/** A report as its reporter sees it. */
export const ReporterViewSchema = v.object({
  ...shared,
  name: TextSchema,
  relation: TextSchema,
  shares_name: v.boolean(),
  can_confirm: v.boolean(),
});
export type ReporterView = Read<typeof ReporterViewSchema>;

const bySecret = {
  method: 'POST',
  body: v.object({ token: v.pipe(v.optional(v.string(), ''), v.maxLength(1_024, '長すぎます。')) }),
  reply: ReporterViewSchema,
} as const;

/** Shows a report by the secret of its mail. Changes nothing: mail scanners open links. */
export const viewReport = defineEndpoint({
  ...bySecret,
  path: '/api/reports/view/',
  refuses: [400],
});

/** Confirms the reporter's address; the artist is asked for an answer. */
export const confirmReport = defineEndpoint({
  ...bySecret,
  path: '/api/reports/confirm/',
  refuses: [400, 409],
});

/** A report as the artist sees it: nothing about the reporter, except a name that the artist may see. */
export const OwnReportSchema = v.object({
  ...shared,
  /** '' unless the reporter agreed. */
  reporter_name: TextSchema,
  answer: TextSchema,
  can_answer: v.boolean(),
});
export type OwnReport = Read<typeof OwnReportSchema>;

/** The caller's sounds' confirmed reports, open ones first, then the newest; at most `OWN_REPORTS_MAX`. */
export const listOwnReports = defineEndpoint({
  method: 'GET',
  path: '/api/account/reports/',
  reply: listOf(OwnReportSchema),
});
export const OWN_REPORTS_MAX = 100;

const AnswerSchema = requiredText('回答', ANSWER_LENGTH_MAX);

/** The artist's only answer to a report; the staff reads it. */
export const answerReport = defineEndpoint({
  method: 'POST',
  path: '/api/account/reports/{id}/answer/',
  body: v.object({ text: AnswerSchema }),
  reply: OwnReportSchema,
  refuses: [400, 404, 409],
});

const CHOICE = '回答する報告を選んでください。';

/**
 * One answer to several reports; to each it is the only one. Those that were answered or decided before stay as they
 * are. The reply has all of them.
 */
export const answerReports = defineEndpoint({
  method: 'POST',
  path: '/api/account/report-answers/',
  body: v.object({
    ids: v.pipe(
      v.array(v.pipe(v.string(CHOICE), v.maxLength(200, CHOICE)), CHOICE),
      v.minLength(1, CHOICE),
      v.maxLength(OWN_REPORTS_MAX, `一度に回答できる報告は${OWN_REPORTS_MAX}件までです。`),
    ),
    text: AnswerSchema,
  }),
  reply: listOf(OwnReportSchema),
  refuses: [400, 404, 409],
});
