import type { Platform } from '../../platform/http/http.ts';
import { forgetAddressKeys, forgetTraces } from '../visitors/visitors.ts';
import { forgetCounts } from './counts.ts';
import { forgetDownloaders } from './credit-queries.ts';
import { deleteOldIntents } from './intent-queries.ts';
import type { DownloadsOptions } from './options.ts';

const DAY_MS = 86_400_000;

/** Deletes what no rule needs any more: intents, counts, downloaders, and the keys of addresses. */
export async function sweepDownloads({
  database,
  clock,
  downloadLimits,
}: Pick<Platform, 'database' | 'clock'> & Pick<DownloadsOptions, 'downloadLimits'>): Promise<void> {
  const { db } = database;
  const nowMs = clock.now();
  const sinceMs = nowMs - downloadLimits.repeatDays * DAY_MS;
  await forgetAddressKeys(database, nowMs);
  await deleteOldIntents(db, nowMs);
  await forgetCounts(db, nowMs);
  await forgetTraces(db, nowMs, sinceMs);
  await forgetDownloaders(db, sinceMs);
}
