import { DAY_MS } from '../../../contract/values/time-units.ts';
import { NOTICE_SECONDS_MIN } from '../../../contract/downloads/ads.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { indexSound } from '../catalogue/service.ts';
import { lockSound } from '../catalogue/favorites/queries.ts';
import { toLevel, toPopularity } from '../catalogue/popularity.ts';
import { SOUND_REFERENCE } from '../ledger/statement-queries.ts';
import { recordReward } from '../ledger/postings.ts';
import { addDownload } from '../statistics/play-queries.ts';
import {
  SITE_SUBJECT,
  addToCounts,
  readArtistDays,
  readCounts,
  toArtistSubject,
  toNetworkAndArtistSubject,
  toProviderAndArtistSubject,
  toProviderSubject,
} from './counts.ts';
import { findEarlier, hasCreditSince, insertCredit, isBlocked } from './credit-queries.ts';
import { toNetworkSubject, toVisitorSubject } from '../visitors/member-traces.ts';
import { hasArtistTrace } from './artist-traces.ts';
import type { DownloadsOptions } from './options.ts';
import type { Downloader } from './artist-traces.ts';
import { judgeDownload } from './rules.ts';
import type { DownloadFacts, RewardState } from './rules.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { updateSoundRow } from '../catalogue/sound-rows.ts';

export type CreditDeps = Pick<Platform, 'database' | 'clock' | 'sessionSecret'> &
  Pick<DownloadsOptions, 'downloadLimits' | 'rewardYenPerDownload' | 'detectsOwnDownloads'>;

export interface CompletedDownload {
  readonly intentId: string;
  readonly soundId: string;
  readonly reward: RewardState;
  /** The member who started it. */
  readonly startedBy: string | null;
  readonly downloader: Downloader;
}

type LockedSound = NonNullable<Awaited<ReturnType<typeof lockSound>>>;

/**
 * Judges a download that was just completed and records the result: the credit with its reason, the sound's public
 * count, the artist's yen. Call it in the transaction that completed the download, after `lockCredits`. Throws
 * `Problem` 404 when the sound has just been deleted.
 */
export async function creditDownload(
  transaction: Handle,
  deps: CreditDeps,
  download: CompletedDownload,
  nowMs: number,
): Promise<void> {
  const { downloadLimits, rewardYenPerDownload } = deps;
  const { intentId, soundId, downloader } = download;
  const sound = await lockSound(transaction, soundId);
  if (sound === undefined) throw notFound();
  const { artist_id: artistId } = sound;
  const facts = await loadFacts(transaction, deps, download, sound, nowMs);
  const { isCounted, credit } = judgeDownload(facts, downloadLimits);
  const isEarned = credit.state === 'credited';
  const yen = credit.state === 'refused' ? 0 : rewardYenPerDownload;

  await insertCredit(transaction, {
    id: randomId(),
    intent_id: intentId,
    sound_id: soundId,
    artist_id: artistId,
    visitor: downloader.visitor,
    user_id: downloader.memberId,
    network: downloader.address.network,
    ...credit,
    is_counted: isCounted ? 1 : 0,
    yen,
    created_at: nowMs,
    decided_at: null,
    decided_by: null,
  });
  const counted = isCounted ? 1 : 0;
  const credits = credit.state === 'refused' ? 0 : 1;
  await addToCounts(transaction, toCallerSubjects(downloader, artistId), { counted, credits }, nowMs);
  // Held credits use up no limits and do not affect the usual day.
  const earned = { counted, credits: isEarned ? 1 : 0 };
  await addToCounts(transaction, toEarnerSubjects(downloader, artistId), earned, nowMs);
  if (isCounted) await countPublicly(transaction, deps, sound, nowMs);
  if (isEarned) await recordDownloadReward(transaction, { intentId, artistId, soundId, yen }, nowMs);
}

/** Posts the yen of one download. A second call has no effect. */
export async function recordDownloadReward(
  transaction: Handle,
  reward: {
    readonly intentId: string;
    readonly artistId: string;
    readonly soundId: string;
    readonly yen: number;
  },
  atMs: number,
): Promise<void> {
  await recordReward(transaction, {
    artistId: reward.artistId,
    downloads: 1,
    yen: reward.yen,
    atMs,
    reference: SOUND_REFERENCE + reward.soundId,
    idempotencyKey: toDownloadKey(reward.intentId),
  });
}

/** The ledger key of an intent's reward. It makes the posting unique and finds it for a reversal. */
export function toDownloadKey(intentId: string): string {
  return `download:${intentId}`;
}

async function loadFacts(
  transaction: Handle,
  { downloadLimits, sessionSecret, detectsOwnDownloads }: CreditDeps,
  { soundId, downloader, reward, startedBy }: CompletedDownload,
  sound: LockedSound,
  nowMs: number,
): Promise<DownloadFacts> {
  const { artist_id: artistId } = sound;
  const sinceMs = nowMs - downloadLimits.repeatDays * DAY_MS;
  const isOwn =
    startedBy === artistId ||
    downloader.memberId === artistId ||
    (detectsOwnDownloads &&
      (await hasArtistTrace(transaction, sessionSecret, downloader, artistId, nowMs, sinceMs)));
  const countsOf = await readCounts(
    transaction,
    [...toCallerSubjects(downloader, artistId), ...toEarnerSubjects(downloader, artistId)],
    nowMs,
  );
  const earlier = await findEarlier(transaction, soundId, downloader, sinceMs);
  return {
    isOwn,
    isArtistBlocked: await isBlocked(transaction, artistId),
    isPublished: sound.is_published === 1,
    reward,
    wasCounted: reward === 'repeat' || earlier.wasCounted,
    wasCredited: earlier.wasCredited,
    isTooFast: await hasCreditSince(transaction, downloader.visitor, nowMs - NOTICE_SECONDS_MIN * 1000),
    visitor: countsOf(toVisitorSubject(downloader.visitor)),
    network: countsOf(toNetworkSubject(downloader.address)),
    networkAndArtist: countsOf(toNetworkAndArtistSubject(downloader.address, artistId)),
    providerCredits: countsOf(toProviderSubject(downloader.address)).credits,
    providerAndArtistCredits: countsOf(toProviderAndArtistSubject(downloader.address, artistId)).credits,
    artistCredits: countsOf(toArtistSubject(artistId)).credits,
    siteCredits: countsOf(SITE_SUBJECT).credits,
    artistDays: await readArtistDays(transaction, artistId, nowMs),
  };
}

/** Subjects whose limits include held credits. */
function toCallerSubjects({ visitor, address }: Downloader, artistId: string): string[] {
  return [toVisitorSubject(visitor), toNetworkSubject(address), toNetworkAndArtistSubject(address, artistId)];
}

/** Subjects for which held credits do not count until they are approved. */
function toEarnerSubjects({ address }: Downloader, artistId: string): string[] {
  return [
    toProviderSubject(address),
    toProviderAndArtistSubject(address, artistId),
    toArtistSubject(artistId),
    SITE_SUBJECT,
  ];
}

/**
 * Updates the public count. As with favourites, pages show it when they are next rendered, since anyone can download.
 */
async function countPublicly(
  transaction: Handle,
  { database }: CreditDeps,
  sound: LockedSound,
  nowMs: number,
): Promise<void> {
  await addDownload(transaction, sound.seq, nowMs);
  const download_count = sound.download_count + 1;
  const popularity = toPopularity(download_count, sound.favorite_count);
  await updateSoundRow(transaction, sound.seq, { download_count, popularity });
  const isIndexed =
    toLevel(download_count) === toLevel(sound.download_count) &&
    toLevel(popularity) === toLevel(sound.popularity);
  if (!isIndexed) await indexSound(database, transaction, sound.seq);
}
