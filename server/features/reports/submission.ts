import type { InferOutput } from 'valibot';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { CONFIRMATION_DAYS } from '../../../contract/reports.ts';
import type { ReportSchema } from '../../../contract/reports.ts';
import { keyedHash } from '../../platform/crypto/keyed-hash.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { toAddressGroup, toNetworkGroup } from '../../platform/http/address-limits.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { hashToken, makeToken } from '../accounts/tokens.ts';
import { toEmailKey, toMailboxKey } from '../accounts/users.ts';
import { findSound } from '../catalogue/service.ts';
import { queueMail } from '../mail/service.ts';
import { decideNotification, makeRoom } from './floods.ts';
import { REPORTS_OF_EMAIL, REPORTS_OF_EMAIL_AND_NETWORK } from './limits.ts';
import { toAlreadyReportedMail, toConfirmedMail, toReceiptMail } from './mails.ts';
import {
  findOpenBy,
  findReport,
  findReportBySecret,
  hasHeldReports,
  insertEvent,
  insertReport,
  lockReport,
} from './queries.ts';
import type { Report } from './queries.ts';
import { queueListMails, notifyArtist } from './notifications.ts';
import { advanceReport, requireReport } from './transition.ts';
import type { ReportDeps } from './transition.ts';
import type { Handle } from '../../platform/database/handle.ts';

type SubmissionDeps = ReportDeps & Pick<Platform, 'rateLimits' | 'sessionSecret'>;

/** Where a report comes from. */
interface Origin {
  readonly caller: Pick<Caller, 'id'> | null;
  /** '' for a call in process. */
  readonly address: string;
}

/**
 * Stores a report and mails its reporter a link to confirm it. Someone who has a confirmed open report of the same
 * sound is informed by mail, and nothing is stored; the reply is the same. Reports that nobody confirmed make room.
 * Throws `Problem` 404 for a sound that is not public, 400 for the caller's own, and `TooManyRequests`.
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
  const { is_truthful: _, shares_name, ...texts } = report;
  const network = hashOrigin(deps.sessionSecret, 'report network', address && toNetworkGroup(address));
  const source = hashOrigin(deps.sessionSecret, 'report source', address && toAddressGroup(address));
  const mailbox = toMailboxKey(report.email);
  await rateLimits.take(REPORTS_OF_EMAIL_AND_NETWORK, JSON.stringify([mailbox, network]));
  await rateLimits.take(REPORTS_OF_EMAIL, mailbox);
  const token = makeToken();

  await database.db.transaction().execute(async (transaction: Handle) => {
    await database.takeLock(transaction, 'reports');
    const nowMs = clock.now();
    const open = await findOpenBy(transaction, soundId, email_key);
    if (open !== undefined) {
      await queueMail(transaction, toAlreadyReportedMail(deps, report.email, open), nowMs);
      return;
    }
    await makeRoom(transaction, network);
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
      source,
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
 * Confirms the reporter's address. The artist is notified, now or in the next mail, unless there are too many
 * reports: then the staff decides about that. Confirming again changes nothing. Throws `Problem`
 * 400 for a wrong link, 409 when the report is closed or too old, or the same person has another open report of the
 * sound.
 */
export async function confirmReport(deps: ReportDeps, token: string): Promise<Report> {
  const { database, clock } = deps;
  return database.db.transaction().execute(async (transaction: Handle) => {
    await database.takeLock(transaction, 'reports');
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
    const notification = await decideNotification(transaction, report);
    const isFirstHeld = notification === 'held' && !(await hasHeldReports(transaction, report.artist_id));
    const values = { is_confirmed: 1, due_at: null, asking: notification } as const;
    const confirmed = await advanceReport(transaction, deps, report, 'confirm', { nowMs, values });
    if (isFirstHeld) await queueListMails(transaction, deps, 'hold', [confirmed], nowMs);
    if (notification === 'queued' && report.artist_id !== null) {
      await notifyArtist(transaction, deps, report.artist_id, nowMs);
    }
    const current = requireReport(await findReport(transaction, report.id));
    if (current.asking !== 'asked') await queueMail(transaction, toConfirmedMail(deps, current), nowMs);
    return current;
  });
}

export function canConfirm({ state, due_at }: Pick<Report, 'state' | 'due_at'>, nowMs: number): boolean {
  return state === 'unconfirmed' && due_at !== null && nowMs <= due_at;
}

/** A keyed hash, so that the table does not hold addresses. */
function hashOrigin(secret: Uint8Array, purpose: string, group: string): string {
  return group === '' ? '' : keyedHash(secret, purpose, group);
}

function wrongLink(): Problem {
  return new Problem(400, 'このリンクは使えません。メールのリンクがすべて開けているか確かめてください。');
}
