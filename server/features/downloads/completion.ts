import type { Transaction } from 'kysely';
import type { AdProviderName } from '../../../contract/ads.ts';
import type { Schema } from '../../platform/database/database.ts';
import { Problem } from '../../platform/http/http.ts';
import { countCompleted } from './counts.ts';
import { takeCreditTurn } from './credit-queries.ts';
import { creditDownload } from './credits.ts';
import type { CreditDeps } from './credits.ts';
import { completeIntent, findIntentState } from './intent-queries.ts';
import type { Wait } from './intent-queries.ts';
import { noteMember } from '../visitors/visitors.ts';
import type { DownloadsOptions } from './options.ts';
import type { Downloader } from './own-traces.ts';
import type { RewardState } from './rules.ts';

type CompletionDeps = CreditDeps & Pick<DownloadsOptions, 'adProviders'>;

/** Reports travel: who watched to the end by their own clock has watched by ours. */
const NOTICE_SLACK_MS = 1_000;
/** No rewarded slot of Google's has ever been shorter. */
const GPT_MS_MIN = 5_000;

/** What a client says of a download it asks the file for. */
export interface DownloadWish {
  readonly soundId: string;
  /** undefined: the client knows spec §7 alone. */
  readonly intentId: string | undefined;
  /** Spec §7: `log=true`. */
  readonly isLogged: boolean;
  readonly provider: AdProviderName | undefined;
}

/**
 * Notes that a sound's file is about to be given to somebody who may have it, and credits it if the rules
 * say so; all of it or nothing. The second time it is nothing. An intent that is unknown, another
 * visitor's or too old changes nothing either. Throws `Problem` 409 while the advertisement has not been
 * watched long enough, which leaves the intent open, and `TooMany` at the hard cap. Who was let through at the
 * beginning and has watched since is given a little more than the cap.
 */
export function completeDownload(
  deps: CompletionDeps,
  wish: DownloadWish,
  downloader: Downloader,
): Promise<void> {
  const { database, clock, downloadLimits } = deps;
  const { perDay, begunPerMinute } = downloadLimits;
  const nowMs = clock.now();
  return database.db.transaction().execute(async (transaction) => {
    const count = (cap: number) => countCompleted(transaction, downloader, cap, nowMs);
    if (wish.intentId === undefined || downloader.visitor === '') return count(perDay);
    await takeCreditTurn(transaction, database);
    const done = await complete(transaction, deps, { ...wish, intentId: wish.intentId }, downloader, nowMs);
    if (done === 'again') return;
    await count(done === undefined ? perDay : perDay + begunPerMinute);
    if (done === undefined) return;
    await noteMember(transaction, downloader, nowMs);
    await creditDownload(transaction, deps, { ...done, soundId: wish.soundId, downloader }, nowMs);
  });
}

/** The intent as it was completed just now; undefined when there is none that could be. */
async function complete(
  transaction: Transaction<Schema>,
  deps: CompletionDeps,
  wish: DownloadWish & { readonly intentId: string },
  { visitor }: Downloader,
  nowMs: number,
) {
  const wait = toWait(wish, deps.adProviders);
  const { intentId, soundId } = wish;
  const completion = { intentId, visitor, soundId, wait };
  const intent = await completeIntent(transaction, completion, nowMs);
  if (intent !== undefined) {
    return { intentId: intent.id, reward: toReward(intent, wait), beganAs: intent.user_id };
  }
  const state = await findIntentState(transaction, completion, nowMs);
  if (state === 'open') {
    throw new Problem(409, '広告の視聴がまだ終わっていません。最後まで見てから、もう一度お試しください。');
  }
  return state === 'completed' ? 'again' : undefined;
}

function toReward(
  { is_granted, is_repeat }: { readonly is_granted: 0 | 1; readonly is_repeat: 0 | 1 },
  wait: Wait,
): RewardState {
  if (is_repeat === 1) return 'repeat';
  if (is_granted === 1) return 'watched';
  return wait.for === 'notice' ? 'unknown-notice' : 'no-reward';
}

/** A provider that the operator does not have has granted nothing, whatever is said. */
function toWait({ isLogged, provider = 'house' }: DownloadWish, providers: readonly AdProviderName[]): Wait {
  if (!isLogged || provider === 'none' || !providers.includes(provider)) return { for: 'nothing' };
  return provider === 'gpt' ? { for: 'time', ms: GPT_MS_MIN } : { for: 'notice', slackMs: NOTICE_SLACK_MS };
}
