import { randomBytes } from 'node:crypto';
import { INTENT_MS_MAX } from '../../../contract/downloads/downloads.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { requireBelowCap } from './counts.ts';
import {
  REPORT_GAP_MS_MAX,
  insertIntent,
  lockOpenIntent,
  pauseOtherIntents,
  lockVisitor,
  updateWatching,
  wasGranted,
} from './intent-queries.ts';
import { takeRoom } from './records.ts';
import { recordMember } from '../visitors/member-traces.ts';
import type { DownloadsOptions } from './options.ts';
import type { Downloader } from './artist-traces.ts';
import type { Handle } from '../../platform/database/handle.ts';

type IntentDeps = Pick<Platform, 'database' | 'clock'> & Pick<DownloadsOptions, 'downloadLimits' | 'notices'>;

const INTENT_BYTES = 16;
const NOTICE_ID = /^[a-z0-9-]{1,64}$/;
/** Placeholder for values that cannot be the id of a notice. */
const NO_NOTICE = '?';

/**
 * Starts the download of a sound that the caller may see. Throws `TooManyRequests` when today's limit is reached, so
 * that no advertisement is watched for a download that will be refused.
 */
export async function beginDownload(
  { database: { db }, clock, downloadLimits }: IntentDeps,
  soundId: string,
  downloader: Downloader,
): Promise<{ id: string; isGranted: boolean }> {
  const nowMs = clock.now();
  const { visitor, memberId } = downloader;
  await requireBelowCap(db, downloader, downloadLimits.perDay, nowMs);
  await recordMember(db, downloader, nowMs);
  const isGranted = await wasGranted(db, soundId, downloader, nowMs);
  const id = randomBytes(INTENT_BYTES).toString('base64url');
  // An id that is not stored gives the file like any other, without a credit or certificate.
  if (!(await takeRoom(db, 'begun', downloader.address, downloadLimits, nowMs))) return { id, isGranted };
  await insertIntent(db, {
    id,
    sound_id: soundId,
    visitor,
    user_id: memberId,
    is_repeat: isGranted ? 1 : 0,
    needed_ms: null,
    watching_since: null,
    created_at: nowMs,
    completed_at: null,
  });
  return { id, isGranted };
}

export interface Watching {
  readonly watchedMs: number;
  /** 0 for a notice that this host does not know, such as one of a web client served elsewhere; it earns nothing. */
  readonly neededMs: number;
}

/**
 * Records that viewing of a notice starts (`begin`, repeatable) or pauses. The time between two reports is measured by
 * our clock. A different notice starts from 0, and a `begin` pauses the visitor's other intents. Throws `Problem` 404
 * for an intent that is not this visitor's or has ended.
 */
export async function reportWatching(
  { database, clock, notices }: IntentDeps,
  intentId: string,
  visitor: string,
  { state, notice: given }: { readonly state: 'begin' | 'rest' | 'end'; readonly notice: string },
): Promise<Watching> {
  const nowMs = clock.now();
  const notice = NOTICE_ID.test(given) ? given : NO_NOTICE;
  const seconds = await notices.findSeconds(database, notice, nowMs);
  return database.db.transaction().execute(async (transaction: Handle) => {
    if (state === 'begin') await lockVisitor(transaction, database, visitor);
    const intent = await lockOpenIntent(transaction, intentId, visitor, nowMs);
    if (intent === undefined) throw notFound();
    const isSame = intent.notice === notice;
    // A notice that ends keeps its time for those who have begun to watch it.
    const neededMs = (isSame ? intent.needed_ms : null) ?? (seconds === undefined ? null : seconds * 1000);
    const watchedMs = isSame ? toWatchedMs(intent, nowMs) : 0;
    if (state === 'begin') await pauseOtherIntents(transaction, intentId, visitor, nowMs);
    await updateWatching(transaction, intentId, {
      notice,
      needed_ms: neededMs,
      watched_ms: watchedMs,
      watching_since: state === 'begin' ? nowMs : null,
    });
    return { watchedMs, neededMs: neededMs ?? 0 };
  });
}

function toWatchedMs(
  { watched_ms, watching_since }: { readonly watched_ms: number; readonly watching_since: number | null },
  nowMs: number,
): number {
  const since = watching_since === null ? 0 : nowMs - watching_since;
  const counted = since >= 0 && since <= REPORT_GAP_MS_MAX ? since : 0;
  return Math.min(watched_ms + counted, INTENT_MS_MAX);
}
