import type { Gpt } from './gpt-tag.ts';
import { createDeferred } from '../browser/deferred.ts';
import { onPage } from '../browser/page-cache.ts';
import { unavailable } from './provider.ts';
import type { AdOutcome, AdRequest, LoadedAd, NoAd, NoAdReason } from './provider.ts';

const READY_MS_MAX = 10_000;
/** An ad that was not shown for this long is no longer valid as fresh. */
const READY_AD_MS_MAX = 30 * 60 * 1000;
const HIDDEN_MS_MAX = 10 * 60 * 1000;
/** Longer than any ad: a granted ad may not report that it was closed. */
const SHOWING_MS_MAX = 180_000;
/** The grant may arrive after the ad was closed. */
const GRANT_AFTER_CLOSE_MS_MAX = 1_500;

type Events = googletag.events.EventTypeMap;

/**
 * Requests one rewarded ad. Callbacks of the tag count only for this slot and until the attempt is over; then its
 * listeners and slot are removed. The reward is the tag's `rewardedSlotGranted` for an ad that we have shown; its
 * payload may be null. The end of a video is no evidence.
 */
export function requestRewardedAd(
  gpt: Gpt,
  adUnit: string,
  { clock, signal }: Pick<AdRequest, 'clock' | 'signal'>,
): Promise<LoadedAd | NoAd> {
  const answer = createDeferred<LoadedAd | NoAd>();
  const adOutcome = createDeferred<AdOutcome>();
  const cleanups: (() => void)[] = [];
  let phase: 'requesting' | 'ready' | 'showing' | 'over' = 'requesting';
  let isGranted = false;
  let isClosed = false;
  let isOverdue = false;
  let hiddenAt: number | null = null;

  function end(): void {
    phase = 'over';
    for (const cleanup of cleanups.splice(0)) {
      try {
        cleanup();
      } catch (error) {
        console.error('The ad tag did not clean up.', error);
      }
    }
  }

  function giveUp(reason: NoAdReason): void {
    if (phase !== 'requesting') return;
    end();
    answer.resolve(unavailable(reason));
  }

  function settle(outcome: AdOutcome): void {
    if (phase !== 'ready' && phase !== 'showing') return;
    end();
    adOutcome.resolve(outcome);
  }

  /** A fully watched ad has earned the file, even if the page is left. */
  function leave(): void {
    giveUp('cancelled');
    settle(isGranted ? 'granted' : 'dismissed');
  }

  function setTimer(ms: number, callBack: () => void): void {
    cleanups.push(clock.after(ms, callBack));
  }

  function watch(target: EventTarget, type: string, listener: () => void): void {
    target.addEventListener(type, listener);
    cleanups.push(() => target.removeEventListener(type, listener));
  }

  function onReady(event: Events['rewardedSlotReady']): void {
    if (phase !== 'requesting') return;
    phase = 'ready';
    setTimer(READY_AD_MS_MAX, () => phase === 'ready' && settle('failed'));
    watch(document, 'visibilitychange', () => {
      const isStale = hiddenAt !== null && clock.now() - hiddenAt > HIDDEN_MS_MAX;
      hiddenAt = document.visibilityState === 'hidden' ? clock.now() : null;
      if (isStale && phase === 'ready') settle('failed');
    });
    const show = () => {
      if (phase === 'ready') makeVisible(event);
      return adOutcome.promise;
    };
    answer.resolve({
      kind: 'ready',
      provider: 'gpt',
      needsPress: true,
      hasSound: true,
      show,
      dispose: leave,
    });
  }

  function makeVisible(event: Events['rewardedSlotReady']): void {
    // Set before the call, which may fire events synchronously.
    phase = 'showing';
    setTimer(SHOWING_MS_MAX, () => {
      isOverdue = true;
      if (isGranted) settle('granted');
    });
    try {
      if (!event.makeRewardedVisible()) settle('failed');
    } catch (error) {
      console.error('The ad could not be shown.', error);
      settle('failed');
    }
  }

  function onGranted(): void {
    if (phase !== 'showing') return;
    isGranted = true;
    if (isClosed || isOverdue) settle('granted');
  }

  function onClosed(): void {
    if (phase !== 'showing' || isClosed) return;
    isClosed = true;
    if (isGranted) settle('granted');
    else setTimer(GRANT_AFTER_CLOSE_MS_MAX, () => settle('dismissed'));
  }

  setTimer(READY_MS_MAX, () => giveUp('ready_timeout'));
  watch(signal, 'abort', () => giveUp('cancelled'));
  watch(document, 'astro:before-swap', leave);
  cleanups.push(onPage('hide', leave));
  try {
    const service = gpt.pubads();
    setPrivacy(gpt, service);
    const slot = gpt.defineOutOfPageSlot(adUnit, gpt.enums.OutOfPageFormat.REWARDED);
    if (slot === null) {
      giveUp('unsupported');
      return answer.promise;
    }
    const listen = <Type extends keyof Events>(type: Type, act: (event: Events[Type]) => void) => {
      const listener = (event: Events[Type]) => {
        if (event.slot === slot) act(event);
      };
      service.addEventListener(type, listener);
      cleanups.push(() => service.removeEventListener(type, listener));
    };
    slot.addService(service);
    listen('slotRenderEnded', ({ isEmpty }) => isEmpty && giveUp('no_fill'));
    listen('rewardedSlotReady', onReady);
    listen('rewardedSlotGranted', onGranted);
    listen('rewardedSlotClosed', onClosed);
    cleanups.push(() => gpt.destroySlots([slot]));
    gpt.enableServices();
    gpt.display(slot);
  } catch (error) {
    console.error('The ad tag failed.', error);
    giveUp('exception');
  }
  return answer.promise;
}

/** Ads are chosen by page, never by person; for visitors who opt out of sale, processing is restricted. */
function setPrivacy(gpt: Gpt, service: googletag.PubAdsService): void {
  service.setPrivacySettings({
    nonPersonalizedAds: true,
    restrictDataProcessing: Reflect.get(navigator, 'globalPrivacyControl') === true,
  });
  gpt.setConfig({
    privacyTreatments: { treatments: ['disablePersonalization'] },
    // Creatives on our origin would share our policy and our storage.
    safeFrame: { forceSafeFrame: true },
  });
}
