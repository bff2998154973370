import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { queueMail } from '../mail/service.ts';
import type { SoundVisibility } from './decision-mails.ts';
import { applyEvent } from './machine.ts';
import type { ReportEvent } from './machine.ts';
import { toEventMails } from './mails.ts';
import { findReportedArtist, insertEvent, updateReport } from './queries.ts';
import type { Report } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

export interface ReportOptions {
  /** Recipient of the mails to the staff. */
  readonly operatorEmail: string;
}
export type ReportDeps = Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'siteName'> & ReportOptions;

export interface EventDetails {
  readonly nowMs: number;
  /** Of the staff; '' for other events. */
  readonly reason?: string;
  /** What the event did to the sound, for the mails. */
  readonly sound?: SoundVisibility;
  /** Further changes of the row. */
  readonly values?: Partial<
    Pick<Report, 'is_confirmed' | 'due_at' | 'answer' | 'was_hidden' | 'asking' | 'asked_at'>
  >;
}

/**
 * Applies an event to a locked report, records it and queues the mails about this report alone, in the caller's
 * transaction. Returns the new report. Throws `Problem` 409 if the report's state does not allow the event.
 */
export async function advanceReport(
  transaction: Handle,
  deps: Omit<ReportDeps, 'database' | 'clock'>,
  report: Report,
  event: ReportEvent,
  { nowMs, reason = '', sound = 'unchanged', values = {} }: EventDetails,
): Promise<Report> {
  const { id } = report;
  const state = applyEvent(report.state, event)?.state;
  if (state === undefined) throw conflict();
  const version = report.version + 1;
  // The artist's deadline for the answer stays when the sound is hidden or unhidden meanwhile.
  const due_at = state.startsWith('waiting') ? report.due_at : null;
  const changes = { due_at, ...values, state, version, updated_at: nowMs };
  if (!(await updateReport(transaction, report, changes))) throw conflict();
  await insertEvent(transaction, { report_id: id, version, event, state, at: nowMs, reason });
  const updated: Report = { ...report, ...changes };
  const artist = await findReportedArtist(transaction, report.artist_id);
  for (const mail of toEventMails(deps, event, updated, artist, { reason, sound })) {
    await queueMail(transaction, mail, nowMs);
  }
  return updated;
}

export function conflict(): Problem {
  return new Problem(409, 'この報告の状態が変わりました。最新の状態を確かめてください。');
}

/** Throws `Problem` 404. */
export function requireReport(report: Report | undefined): Report {
  if (report === undefined) throw notFound();
  return report;
}
