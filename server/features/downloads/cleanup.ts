import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { Platform } from '../../platform/http/context.ts';
import { deleteOldAddressKeys } from '../visitors/addresses.ts';
import { deleteOldTraces } from '../visitors/member-traces.ts';
import { deleteOldCounts } from './counts.ts';
import { anonymizeOldCredits } from './credit-queries.ts';
import { deleteOldIntents } from './intent-queries.ts';
import type { DownloadsOptions } from './options.ts';

/** Deletes what no rule needs any more: intents, counts, downloaders, and the keys of addresses. */
export async function deleteOldDownloadData({
  database,
  clock,
  downloadLimits,
}: Pick<Platform, 'database' | 'clock'> & Pick<DownloadsOptions, 'downloadLimits'>): Promise<void> {
  const { db } = database;
  const nowMs = clock.now();
  const sinceMs = nowMs - downloadLimits.repeatDays * DAY_MS;
  await deleteOldAddressKeys(database, nowMs);
  await deleteOldIntents(db, nowMs);
  await deleteOldCounts(db, nowMs);
  await deleteOldTraces(db, nowMs, sinceMs);
  await anonymizeOldCredits(db, sinceMs);
}
