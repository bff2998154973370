import type { AdProviderName } from '../../../contract/downloads/ads.ts';
import { type NoAds, prepareAd } from '../../ads/chain.ts';
import { afterVisible } from '../../ads/after-visible.ts';
import { $watch } from '../../ads/house.ts';
import { type InertPage, makePageInert } from '../../ads/inert-page.ts';
import type { LoadedAd } from '../../ads/provider.ts';
import type { Clock } from '../../lib/clock.ts';
import { $playback, holdFollowers, pausePlayback, resumePlayback, startPlayer } from '../player/player.ts';
import type { DownloadEvent } from './states.ts';

export interface AdStageOptions {
  readonly soundId: string;
  readonly clock: Clock;
  /** Aborted when the download is over. */
  readonly signal: AbortSignal;
  readonly send: (event: DownloadEvent) => void;
}

/** Loads and shows the advertisements of one download, one at a time. */
export interface AdStage {
  /** Sends `ad-loaded` or `no-ad`; nothing once the download is over. */
  load(names: readonly AdProviderName[], intent: string | null): Promise<void>;
  /** Shows the loaded advertisement synchronously: some advertisements need the user's press. Sends `ad-ended`. */
  show(): Promise<void>;
  /** Moves focus back into the advertisement. */
  returnTo(): void;
  /** Sends `stuck` once the advertisement has been visible for this long. */
  offerWayOut(afterMs: number): void;
  /** Removes the advertisement from the page. One that is shown still sends its outcome. */
  close(): void;
}

export function createAdStage({ soundId, clock, signal, send }: AdStageOptions): AdStage {
  let ad: LoadedAd | null = null;
  let page: InertPage | null = null;
  let stopOffer = () => {};
  const close = () => {
    stopOffer();
    ad?.dispose();
    // Runs immediately: the router moves parts of this page into the next one.
    page?.release();
  };
  signal.addEventListener('abort', close);

  return {
    async load(names, intent) {
      const found = await prepareAd(names, { soundId, intent, signal, clock });
      if (signal.aborted) {
        if (found.kind === 'ready') found.dispose();
        return;
      }
      if (found.kind === 'unavailable') {
        logReasons(found);
        return send({ type: 'no-ad' });
      }
      ad = found;
      const { provider, needsPress, notice = null } = found;
      send({ type: 'ad-loaded', provider, needsPress, notice });
    },
    async show() {
      if (!ad) return;
      const resume = quietPlayerFor(ad);
      // No await before this call, so that it runs within the press.
      const showing = ad.show();
      if (!ad.notice) page = makePageInert();
      const outcome = await showing.finally(() => {
        resume();
        close();
      });
      send({ type: 'ad-ended', outcome, at: clock.now() });
    },
    returnTo: () => page?.focusAd(),
    offerWayOut(afterMs) {
      stopOffer = afterVisible(clock, afterMs, () => send({ type: 'stuck' }));
    },
    close,
  };
}

/**
 * Starts no sound during an advertisement, and pauses the player while it is audible. Returns the function that resumes
 * it.
 */
function quietPlayerFor(ad: LoadedAd): () => void {
  startPlayer();
  const release = holdFollowers();
  let hasPaused = false;
  const pause = () => {
    if (!['playing', 'loading'].includes($playback.get().state)) return;
    hasPaused = true;
    pausePlayback();
  };
  const resume = () => {
    // An advertisement that fails immediately ends before the player reports the pause.
    if (hasPaused && !['idle', 'failed'].includes($playback.get().state)) resumePlayback();
    hasPaused = false;
  };
  if (ad.hasSound) pause();
  let unfollow = () => {};
  const unwatch = $watch.subscribe((watch) => {
    unfollow();
    unfollow = watch?.$view.subscribe(({ isAudible }) => (isAudible ? pause() : resume())) ?? unfollow;
  });
  return () => {
    unwatch();
    unfollow();
    resume();
    release();
  };
}

/** Logs why no advertisement was shown, unless none was expected. */
function logReasons({ reasons }: NoAds): void {
  const unexpected = reasons.filter(
    ({ reason }) => reason !== 'not_configured' && reason !== 'page_without_ads',
  );
  if (unexpected.length === 0) return;
  const list = unexpected.map(({ provider, reason }) => `${provider} ${reason}`).join(', ');
  console.info(`No advertisement: ${list}`);
}
