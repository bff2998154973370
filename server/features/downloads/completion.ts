import type { AdProviderName } from '../../../contract/downloads/ads.ts';
import { Problem } from '../../platform/http/problem.ts';
import { issueCertificate, prepareCertificates } from '../certificates/issuing.ts';
import type { IssuingDeps } from '../certificates/issuing.ts';
import { countCompleted } from './counts.ts';
import { lockCredits } from './credit-queries.ts';
import { creditDownload } from './credits.ts';
import type { CreditDeps } from './credits.ts';
import { completeIntent, findEarlierCertificate, findIntentState, setCertificate } from './intent-queries.ts';
import type { Wait } from './intent-queries.ts';
import { takeRoom } from './records.ts';
import { recordMember } from '../visitors/member-traces.ts';
import type { DownloadsOptions } from './options.ts';
import type { Downloader } from './artist-traces.ts';
import type { RewardState } from './rules.ts';
import type { Handle } from '../../platform/database/handle.ts';

type CompletionDeps = CreditDeps & IssuingDeps & Pick<DownloadsOptions, 'adProviders' | 'notices'>;

/** Tolerance for network delay between the viewer's clock and ours. */
const NOTICE_SLACK_MS = 1_000;
/** No rewarded slot of Google's has been shorter. */
const GPT_MS_MIN = 5_000;

/** Claims of a client that nothing proves; an advertisement is easily missing, blocked or skipped. */
const UNREWARDED: ReadonlySet<RewardState> = new Set(['no-reward', 'unknown-notice']);

/** What a client sends with a request for a file. */
export interface DownloadRequest {
  readonly soundId: string;
  /** undefined: the client only implements spec §7. */
  readonly intentId: string | undefined;
  /** Spec §7: `log=true`. */
  readonly isLogged: boolean;
  readonly provider: AdProviderName | undefined;
}

/**
 * Records that a sound's file, which can be read, is about to be sent to a permitted caller, and credits it if the rules allow; all in one
 * transaction. Returns the id of the certificate, null without an intent. A second call has no effect, and returns the
 * same. An intent that is unknown, another visitor's or expired changes nothing either. Once today's room for records is
 * used up (`takeRoom`), the download is neither credited nor counted for the sound, and gets no new certificate. Throws `Problem` 409 while the
 * advertisement has not been watched long enough, which leaves the intent open, and `TooManyRequests` at the hard cap. A
 * caller who was admitted at the beginning and has watched since may exceed the cap slightly.
 */
export async function completeDownload(
  deps: CompletionDeps,
  request: DownloadRequest,
  downloader: Downloader,
): Promise<string | null> {
  const { database, clock, downloadLimits } = deps;
  const { perDay, begunPerMinute } = downloadLimits;
  const nowMs = clock.now();
  const licence = await prepareCertificates(deps);
  const showsAds = await hasAds(deps, nowMs);
  return database.db.transaction().execute(async (transaction: Handle) => {
    const count = (cap: number) => countCompleted(transaction, downloader, cap, nowMs);
    if (request.intentId === undefined || downloader.visitor === '') {
      await count(perDay);
      return null;
    }
    await lockCredits(transaction, database);
    const done = await complete(
      transaction,
      deps,
      { ...request, intentId: request.intentId },
      downloader,
      nowMs,
    );
    if (done !== undefined && 'certificateId' in done) return done.certificateId;
    await count(done === undefined ? perDay : perDay + begunPerMinute);
    if (done === undefined) return null;
    await recordMember(transaction, downloader, nowMs);
    const { soundId } = request;
    const { visitor, memberId, address } = downloader;
    const kind = showsAds && UNREWARDED.has(done.reward) ? 'unrewarded' : 'rewarded';
    const isRecorded = await takeRoom(transaction, kind, address, downloadLimits, nowMs);
    if (isRecorded) await creditDownload(transaction, deps, { ...done, soundId, downloader }, nowMs);
    const earlierId = await findEarlierCertificate(transaction, { visitor, soundId }, nowMs);
    const certified = { soundId, memberId, earlierId, isNewAllowed: isRecorded };
    const certificateId = await issueCertificate(transaction, deps, licence, certified, nowMs);
    await setCertificate(transaction, done.intentId, certificateId);
    return certificateId;
  });
}

/** The intent if this call completed it; its certificate if an earlier call did; otherwise undefined. */
async function complete(
  transaction: Handle,
  deps: CompletionDeps,
  request: DownloadRequest & { readonly intentId: string },
  { visitor }: Downloader,
  nowMs: number,
) {
  const wait = toWait(request, deps.adProviders);
  const { intentId, soundId } = request;
  const completion = { intentId, visitor, soundId, wait };
  const intent = await completeIntent(transaction, completion, nowMs);
  if (intent !== undefined) {
    return { intentId: intent.id, reward: toReward(intent, wait), startedBy: intent.user_id };
  }
  const found = await findIntentState(transaction, completion, nowMs);
  if (found.state === 'open') {
    throw new Problem(409, '広告の視聴がまだ終わっていません。最後まで見てから、もう一度お試しください。');
  }
  return found.state === 'completed' ? { certificateId: found.certificateId } : undefined;
}

function toReward(
  { is_granted, is_repeat }: { readonly is_granted: 0 | 1; readonly is_repeat: 0 | 1 },
  wait: Wait,
): RewardState {
  if (is_repeat === 1) return 'repeat';
  if (is_granted === 1) return 'watched';
  return wait.for === 'notice' ? 'unknown-notice' : 'no-reward';
}

/** Whether this host would have shown an advertisement, as far as it can determine. */
async function hasAds({ adProviders, notices, database }: CompletionDeps, nowMs: number): Promise<boolean> {
  if (adProviders.includes('gpt')) return true;
  return adProviders.includes('house') && (await notices.hasVisibleNotice(database, nowMs));
}

/** A provider that the operator has not configured grants nothing, whatever the client claims. */
function toWait(
  { isLogged, provider = 'house' }: DownloadRequest,
  providers: readonly AdProviderName[],
): Wait {
  if (!isLogged || provider === 'none' || !providers.includes(provider)) return { for: 'nothing' };
  return provider === 'gpt' ? { for: 'time', ms: GPT_MS_MIN } : { for: 'notice', slackMs: NOTICE_SLACK_MS };
}
