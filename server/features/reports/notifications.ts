import { toDay, toDayStart } from '../../../contract/values/months.ts';
import { ANSWER_DAYS } from '../../../contract/reports.ts';
import { queueMail } from '../mail/service.ts';
import { NOTIFICATION_PAUSE_MS } from './limits.ts';
import { toArtistListMail, toStaffMail } from './list-mails.ts';
import type { ListEvent } from './list-mails.ts';
import { findReportedArtist, lockQueuedReports, wasNotifiedSince } from './queries.ts';
import type { Report } from './queries.ts';
import { advanceReport } from './transition.ts';
import type { ReportDeps } from './transition.ts';
import type { Handle } from '../../platform/database/handle.ts';

type NotificationDeps = Omit<ReportDeps, 'database' | 'clock'>;

/**
 * Notifies an artist of all queued reports in one mail, unless another one was sent within a day. The time for the
 * answers begins with the mail. The caller holds the lock of reports.
 */
export async function notifyArtist(
  transaction: Handle,
  deps: NotificationDeps,
  artistId: string,
  nowMs: number,
): Promise<void> {
  if (await wasNotifiedSince(transaction, artistId, nowMs - NOTIFICATION_PAUSE_MS)) return;
  const notified: Report[] = [];
  for (const report of await lockQueuedReports(transaction, artistId)) {
    notified.push(
      await advanceReport(transaction, deps, report, 'tell', { nowMs, values: toNotifiedValues(nowMs) }),
    );
  }
  await queueListMails(transaction, deps, 'tell', notified, nowMs);
}

/** The values of a report whose artist has been notified. */
export function toNotifiedValues(nowMs: number) {
  return { asking: 'asked', asked_at: nowMs, due_at: toAnswerDeadline(nowMs) } as const;
}

/** Mails the artist of some reports and the staff about what happened to all of them. */
export async function queueListMails(
  transaction: Handle,
  deps: NotificationDeps,
  event: ListEvent,
  reports: readonly Report[],
  nowMs: number,
): Promise<void> {
  const [first] = reports;
  if (first === undefined) return;
  const isForArtist = event === 'tell' || event === 'expire';
  const artist = isForArtist ? await findReportedArtist(transaction, first.artist_id) : undefined;
  const toArtist = isForArtist && artist && toArtistListMail(deps, event, reports, artist);
  for (const mail of [toArtist, toStaffMail(deps, event, reports)]) {
    if (mail) await queueMail(transaction, mail, nowMs);
  }
}

/** The last moment of the seventh day in Japan after the day of `nowMs`: the day of the mail does not count. */
function toAnswerDeadline(nowMs: number): number {
  return toDayStart(toDay(nowMs) + ANSWER_DAYS + 1) - 1;
}
