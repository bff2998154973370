import { createHmac } from 'node:crypto';
import type { InferOutput } from 'valibot';
import { toDay, toDayStart } from '../../../contract/months.ts';
import { ANSWER_DAYS, CONFIRMATION_DAYS } from '../../../contract/reports.ts';
import type { ReportSchema } from '../../../contract/reports.ts';
import { randomId } from '../../platform/database/database.ts';
import { Problem, notFound, toNetworkGroup } from '../../platform/http/http.ts';
import type { Caller, Platform } from '../../platform/http/http.ts';
import { hashToken, makeToken, toEmailKey, toMailboxKey } from '../accounts/accounts.ts';
import { findSound } from '../catalogue/catalogue.ts';
import { queueMail } from '../mail/mail.ts';
import { OPEN_PER_NETWORK_MAX, OPEN_PER_SOUND_MAX, REPORTS_OF_EMAIL } from './limits.ts';
import { toAlreadyReportedMail, toReceiptMail } from './mails.ts';
import {
  countOpenOfNetwork,
  countOpenOfSound,
  findOpenBy,
  findReportBySecret,
  insertEvent,
  insertReport,
  lockReport,
} from './queries.ts';
import type { Report } from './queries.ts';
import { advanceReport } from './transition.ts';
import type { ReportDeps } from './transition.ts';

type SubmissionDeps = ReportDeps & Pick<Platform, 'rateLimits' | 'sessionSecret'>;

const DAY_MS = 86_400_000;
/** Identifies our lock among all advisory locks of a PostgreSQL database; the number is arbitrary. */
const REPORTS_LOCK = 5_601_789;

/** Where a report comes from. */
interface Origin {
  readonly caller: Pick<Caller, 'id'> | null;
  /** '' for a call in process. */
  readonly address: string;
}

/**
 * Stores a report and mails its reporter a link to confirm it. Someone who has a confirmed open report of the same
 * sound is told so by mail, and nothing is stored; the reply is the same. Throws `Problem` 404 for a sound that is not
 * public, 400 for the caller's own, 409 when too many reports are open, and `TooManyRequests`.
 */
export async function submitReport(
  deps: SubmissionDeps,
  soundId: string,
  report: InferOutput<typeof ReportSchema>,
  { caller, address }: Origin,
): Promise<void> {
  const { database, clock, rateLimits } = deps;
  const sound = (await findSound(database, soundId, caller?.id ?? null))?.row;
  if (sound === undefined) throw notFound();
  if (sound.artist_id === caller?.id) throw new Problem(400, 'ご自身のサウンドは報告できません。');
  const email_key = toEmailKey(report.email);
  await rateLimits.take(REPORTS_OF_EMAIL, toMailboxKey(report.email));
  const { is_truthful: _, shares_name, ...texts } = report;
  const network = hashNetwork(deps.sessionSecret, address);
  const token = makeToken();

  await database.db.transaction().execute(async (transaction) => {
    await database.takeLock(transaction, REPORTS_LOCK);
    const nowMs = clock.now();
    const open = await findOpenBy(transaction, soundId, email_key);
    if (open !== undefined) {
      await queueMail(transaction, toAlreadyReportedMail(deps, report.email, open), nowMs);
      return;
    }
    if (network !== '' && (await countOpenOfNetwork(transaction, network)) >= OPEN_PER_NETWORK_MAX) {
      throw new Problem(
        409,
        'この接続からの報告を、すでに多く確認しています。確認が終わるまでお待ちください。',
      );
    }
    if ((await countOpenOfSound(transaction, soundId)) >= OPEN_PER_SOUND_MAX) {
      throw new Problem(
        409,
        'このサウンドについては、すでに多くの報告を確認しています。確認が終わるまでお待ちください。',
      );
    }
    const id = randomId();
    const received = {
      id,
      email: report.email,
      created_at: nowMs,
      due_at: nowMs + CONFIRMATION_DAYS * DAY_MS,
    };
    await insertReport(transaction, {
      ...received,
      ...texts,
      sound_id: soundId,
      sound_title: sound.title,
      artist_id: sound.artist_id,
      email_key,
      shares_name: shares_name ? 1 : 0,
      network,
      secret_hash: hashToken(token),
      state: 'unconfirmed',
      updated_at: nowMs,
    });
    const event = { report_id: id, version: 0, event: 'submit', state: 'unconfirmed', at: nowMs } as const;
    await insertEvent(transaction, { ...event, reason: '' });
    await queueMail(transaction, toReceiptMail(deps, received, token), nowMs);
  });
}

/** The report of a mailed secret. Throws `Problem` 400. */
export async function viewReport({ database }: Pick<ReportDeps, 'database'>, token: string): Promise<Report> {
  const report = await findReportBySecret(database.db, hashToken(token));
  if (report === undefined) throw wrongLink();
  return report;
}

/**
 * Confirms the reporter's address and asks the artist for an answer. Confirming again changes nothing. Throws `Problem`
 * 400 for a wrong link, 409 when the report is closed or too old, or the same person has another open report of the
 * sound.
 */
export async function confirmReport(deps: ReportDeps, token: string): Promise<Report> {
  const { database, clock } = deps;
  return database.db.transaction().execute(async (transaction) => {
    await database.takeLock(transaction, REPORTS_LOCK);
    const found = await findReportBySecret(transaction, hashToken(token));
    const report = found && (await lockReport(transaction, found.id));
    if (report === undefined) throw wrongLink();
    if (report.is_confirmed === 1) return report;
    const nowMs = clock.now();
    if (!canConfirm(report, nowMs)) {
      throw new Problem(409, 'この報告は、確定の期限が過ぎているか、すでに確認を終えています。');
    }
    if ((await findOpenBy(transaction, report.sound_id, report.email_key)) !== undefined) {
      throw new Problem(409, '同じサウンドについての以前のご報告を、まだ確認しています。');
    }
    const values = { is_confirmed: 1, due_at: toAnswerDeadline(nowMs) } as const;
    return advanceReport(transaction, deps, report, 'confirm', { nowMs, values });
  });
}

export function canConfirm({ state, due_at }: Pick<Report, 'state' | 'due_at'>, nowMs: number): boolean {
  return state === 'unconfirmed' && due_at !== null && nowMs <= due_at;
}

/** The last moment of the seventh day in Japan after the day of `nowMs`: the day of the mail does not count. */
function toAnswerDeadline(nowMs: number): number {
  return toDayStart(toDay(nowMs) + ANSWER_DAYS + 1) - 1;
}

/** A keyed hash, so that the table does not hold addresses. */
function hashNetwork(secret: Uint8Array, address: string): string {
  if (address === '') return '';
  return createHmac('sha256', secret)
    .update(JSON.stringify(['report network', toNetworkGroup(address)]))
    .digest('base64url');
}

function wrongLink(): Problem {
  return new Problem(400, 'このリンクは使えません。メールのリンクがすべて開けているか確かめてください。');
}
