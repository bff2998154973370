import type { AdProviderName, Notice } from '../../../contract/ads.ts';
import { type NoAds, prepareAd } from '../../ads/chain.ts';
import { afterVisible } from '../../ads/clock.ts';
import { $watch } from '../../ads/house.ts';
import { type HeldPage, holdPage } from '../../ads/page-behind.ts';
import type { AdClock, AdOutcome, LoadedAd } from '../../ads/provider.ts';
import { joinSignals } from '../../ads/signals.ts';
import { $download, type DownloadedSound, askDownload } from './questions.ts';
import { $playback } from '../player/player.ts';
import { pausePlayback, resumePlayback, startPlayer } from '../player/actions.ts';

/** An advertisement in a frame of its own that has been in sight so long gets a way out; and again after that. */
const STUCK_AFTER_MS = 180_000;
const STUCK_AGAIN_AFTER_MS = 60_000;

export type AdResult =
  | { readonly kind: 'granted'; readonly provider: AdProviderName; readonly notice: Notice | null }
  | { readonly kind: 'no-ad' }
  | { readonly kind: 'left' };

export interface AdOptions {
  readonly sound: DownloadedSound;
  readonly providers: readonly AdProviderName[];
  readonly intent: string | null;
  readonly clock: AdClock;
  /** Aborted when the page goes. */
  readonly signal: AbortSignal;
}

/** Shows the advertisement, and again if it was closed too early and the person wants that (spec §2, §4). */
export async function earnDownload(options: AdOptions): Promise<AdResult> {
  const { sound, signal, providers } = options;
  if (!hasAds(providers)) return { kind: 'no-ad' };
  for (;;) {
    const result = await tryOnce(options);
    // Who has seen it through has earned the file, also when the page has gone meanwhile.
    if (result !== 'dismissed' && result.kind === 'granted') return result;
    if (signal.aborted) return { kind: 'left' };
    if (result !== 'dismissed') return result;
    const again = await askDownload({ state: 'dismissed', sound }, () => true, signal);
    if (again === null) return { kind: 'left' };
  }
}

/** With nobody to show anything there is nothing to agree to. */
export function hasAds(providers: readonly AdProviderName[]): boolean {
  return providers.some((name) => name !== 'none');
}

/** One advertisement; the next provider has its turn when one had nothing to show after all. */
async function tryOnce(options: AdOptions): Promise<AdResult | 'dismissed'> {
  const { sound, intent, clock } = options;
  let names = options.providers;
  while (names.length > 0) {
    const waiting = new AbortController();
    const signal = joinSignals(options.signal, waiting.signal);
    void askDownload({ state: 'preparing', sound }, () => true, signal).then((isYes) => {
      if (isYes === null) waiting.abort();
    });
    const ad = await prepareAd(names, { soundId: sound.id, intent, signal, clock });
    if (signal.aborted) {
      if (ad.kind === 'ready') ad.dispose();
      return { kind: 'left' };
    }
    if (ad.kind === 'unavailable') {
      tellReasons(ad);
      return { kind: 'no-ad' };
    }
    const outcome = await show(ad, options);
    ad.dispose();
    if (outcome === null) return { kind: 'left' };
    if (outcome === 'granted') {
      return { kind: 'granted', provider: ad.provider, notice: ad.notice ?? null };
    }
    if (outcome === 'dismissed') return 'dismissed';
    names = names.slice(names.indexOf(ad.provider) + 1);
  }
  return { kind: 'no-ad' };
}

/** Null: the person did not want to see it after all. */
async function show(ad: LoadedAd, { sound, clock, signal }: AdOptions): Promise<AdOutcome | null> {
  const isOurs = ad.notice !== undefined;
  let page: HeldPage | null = null;
  const start = () => {
    const wake = quieten(ad);
    // Within the press: what comes after must not wait for anything before this call.
    const showing = ad.show();
    $download.set({ state: isOurs ? 'watching' : 'elsewhere', sound });
    if (!isOurs) page = holdPage();
    return showing.finally(() => {
      wake();
      page?.release();
    });
  };
  const leave = () => {
    ad.dispose();
    // At once: the router takes parts of this page over into the next one.
    page?.release();
  };
  signal.addEventListener('abort', leave);
  try {
    const showing = ad.needsPress
      ? await askDownload({ state: 'ready', sound }, () => ({ outcome: start() }), signal)
      : { outcome: start() };
    if (showing === null) return null;
    if (isOurs) return await showing.outcome;
    const goOn = () => {
      $download.set({ state: 'elsewhere', sound });
      page?.lead();
    };
    return await withWayOut(showing.outcome, ad, { sound, clock, signal, goOn });
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

interface WayOutOptions extends Pick<AdOptions, 'sound' | 'clock' | 'signal'> {
  /** The person wants to see it on. */
  readonly goOn: () => void;
}

/** Nobody has to reload the page because an advertisement of others does not end. */
async function withWayOut(
  outcome: Promise<AdOutcome>,
  ad: LoadedAd,
  { sound, clock, signal, goOn }: WayOutOptions,
): Promise<AdOutcome> {
  const over = new AbortController();
  const ending = joinSignals(signal, over.signal);
  let stop = () => {};
  const offerAfter = (ms: number) => {
    stop = afterVisible(clock, ms, () => void offer());
  };
  const offer = async () => {
    const isEnough = await askDownload({ state: 'stuck', sound }, () => true, ending);
    if (isEnough) return ad.dispose();
    if (ending.aborted) return;
    goOn();
    offerAfter(STUCK_AGAIN_AFTER_MS);
  };
  offerAfter(STUCK_AFTER_MS);
  try {
    return await outcome;
  } finally {
    stop();
    over.abort();
  }
}

/** The player rests while an advertisement can be heard; what is returned lets it go on. */
function quieten(ad: LoadedAd): () => void {
  startPlayer();
  let hasPaused = false;
  const rest = () => {
    if (!['playing', 'loading'].includes($playback.get().state)) return;
    hasPaused = true;
    pausePlayback();
  };
  const goOn = () => {
    // An advertisement that fails at once is over before the player has told that it is paused.
    if (hasPaused && !['idle', 'failed'].includes($playback.get().state)) resumePlayback();
    hasPaused = false;
  };
  if (ad.hasSound) rest();
  let unfollow = () => {};
  const unwatch = $watch.subscribe((watch) => {
    unfollow();
    unfollow = watch?.$view.subscribe(({ isAudible }) => (isAudible ? rest() : goOn())) ?? unfollow;
  });
  return () => {
    unwatch();
    unfollow();
    goOn();
  };
}

/** For whoever looks into why there was nothing; that nobody was to show anything is no news. */
function tellReasons({ reasons }: NoAds): void {
  const news = reasons.filter(({ reason }) => reason !== 'not_configured' && reason !== 'strict_page');
  if (news.length === 0) return;
  console.info(`No advertisement: ${news.map(({ provider, reason }) => `${provider} ${reason}`).join(', ')}`);
}
