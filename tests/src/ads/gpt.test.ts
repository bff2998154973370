// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#src/lib/clock.ts';
import { createGptProvider } from '#src/ads/gpt.ts';
import { GPT_URL, addScriptToPage } from '#src/ads/gpt-tag.ts';
import type { LoadedAd, NoAd } from '#src/ads/provider.ts';
import { type GptScenario, installGoogletag } from '../../fakes/googletag.ts';

const AD_UNIT = '/22639388115/rewarded_web_example';
const MINUTE = 60_000;

/** The behaviour of the script once it is in the page. */
type Script = GptScenario | 'script-404' | 'script-hang';

let scripts: Script[];
let added: string[];
let takenOut: number;

/** A provider on a page where each attempt at the script behaves as `scripts` says. The last entry repeats. */
function makeProvider({ adUnit = AD_UNIT as string | null } = {}) {
  return createGptProvider({
    findAdUnit: () => adUnit,
    addScript(url, onError) {
      added.push(url);
      const script = scripts.length > 1 ? scripts.shift() : scripts[0];
      setTimeout(() => {
        if (script === 'script-404') onError();
        else if (script !== undefined && script !== 'script-hang') installGoogletag(script);
      }, 50);
      return () => void (takenOut += 1);
    },
  });
}

function prepare(provider = makeProvider(), signal = new AbortController().signal) {
  const result: { ad?: LoadedAd | NoAd } = {};
  void provider
    .prepare({ soundId: '1', intent: null, signal, clock: systemClock })
    .then((ad) => (result.ad = ad));
  return result;
}

/** Up to the point where the ad can be shown. */
async function prepareReady(script: Script): Promise<LoadedAd> {
  scripts = [script];
  const result = prepare();
  await vi.advanceTimersByTimeAsync(1_000);
  if (result.ad?.kind !== 'ready') throw new Error(`nothing to show: ${JSON.stringify(result.ad)}`);
  return result.ad;
}

/** Every reported outcome and its time. At most one: a second one would deliver the file twice. */
function watch(ad: LoadedAd) {
  const startedAt = Date.now();
  const outcomes: { outcome: string; atMs: number }[] = [];
  void ad.show().then((outcome) => outcomes.push({ outcome, atMs: Date.now() - startedAt }));
  return outcomes;
}

/** What remains of an advertisement that is over. */
const NOTHING = { listeners: 0, slots: 0 };
const record = () => window.gptRecord!;
const wasDestroyed = () => record().calls.filter((call) => call === 'destroySlots').length;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  Reflect.deleteProperty(window, 'googletag');
  Reflect.deleteProperty(window, 'gptRecord');
  document.body.innerHTML = '';
  scripts = ['granted'];
  added = [];
  takenOut = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the outcome of an ad of Google', () => {
  it.each<[GptScenario, string, number]>([
    ['granted', 'granted', 1_000],
    ['payload-null', 'granted', 1_000],
    ['granted-twice', 'granted', 1_000],
    ['granted-after-close', 'granted', 2_000],
    ['granted-too-late', 'dismissed', 2_500],
    ['granted-never-closed', 'granted', 180_000],
    ['granted-after-minutes', 'granted', 240_000],
    ['display-sync-event', 'granted', 1_000],
    ['granted-unseen', 'dismissed', 2_500],
    ['dismissed', 'dismissed', 2_500],
    ['close-twice', 'dismissed', 2_500],
    ['video-completed-only', 'dismissed', 2_500],
    ['show-returns-false', 'failed', 0],
    ['show-throws', 'failed', 0],
  ])('%s: %s after %i ms, reported once', async (script, outcome, atMs) => {
    const outcomes = watch(await prepareReady(script));
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(outcomes).toEqual([{ outcome, atMs }]);
    expect(record()).toMatchObject(NOTHING);
    expect(wasDestroyed()).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(document.body.childElementCount).toBe(0);
  });

  it.each<[Script, string, number]>([
    ['no-fill', 'no_fill', 250],
    ['consent-denied', 'no_fill', 250],
    ['unsupported', 'unsupported', 50],
    ['define-throws', 'exception', 50],
    ['ubo-stub', 'blocked_stub', 50],
    ['never-ready', 'ready_timeout', 10_050],
    ['slow-ready', 'ready_timeout', 10_050],
    ['foreign-slot-events', 'ready_timeout', 10_050],
    ['script-hang', 'script_timeout', 8_000],
    ['script-404', 'script_error', 10_150],
  ])('%s: %s after %i ms, and nothing remains', async (script, reason, atMs) => {
    scripts = [script];
    const result = prepare();
    await vi.advanceTimersByTimeAsync(atMs - 1);
    expect(result.ad).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(result.ad).toEqual({ kind: 'unavailable', reason });
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(window.gptRecord ?? NOTHING).toMatchObject(NOTHING);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a page without an ad network', () => {
  it('uses full loads from the moment the tag may be present', async () => {
    document.head.innerHTML = '<meta name="ads" content="gpt,house">';
    const go = (to: string) => {
      const event = Object.assign(new Event('astro:before-preparation', { cancelable: true }), {
        from: new URL('https://site.test/sounds'),
        to: new URL(to, 'https://site.test'),
        navigationType: 'push',
      });
      document.dispatchEvent(event);
      return event.defaultPrevented;
    };
    await prepareReady('granted');
    expect([go('/login'), go('/sounds?page=2')]).toEqual([true, false]);
    document.head.innerHTML = '';
  });
});

describe('a request to Google', () => {
  it('follows the order that its documentation guarantees', async () => {
    await prepareReady('granted');
    expect(added).toEqual([GPT_URL]);
    expect(record().calls).toEqual([
      'setPrivacySettings',
      'setConfig',
      `defineOutOfPageSlot ${AD_UNIT} 4`,
      'addService',
      'listen slotRenderEnded',
      'listen rewardedSlotReady',
      'listen rewardedSlotGranted',
      'listen rewardedSlotClosed',
      'enableServices',
      'display',
    ]);
  });

  it('shows nothing before the call to show, and then within the press', async () => {
    const ad = await prepareReady('granted');
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(record().calls).not.toContain('makeRewardedVisible');
    void ad.show();
    expect(record().calls).toContain('makeRewardedVisible');
    expect(ad).toMatchObject({ needsPress: true, hasSound: true });
  });

  it.each([false, true])(
    'requests non-personalised ads, and passes Global Privacy Control on: %s',
    async (isOn) => {
      vi.stubGlobal('navigator', Object.create(navigator, { globalPrivacyControl: { value: isOn } }));
      await prepareReady('granted');
      vi.unstubAllGlobals();
      expect(record().privacy).toEqual([{ nonPersonalizedAds: true, restrictDataProcessing: isOn }]);
    },
  );

  it('requests frames of another origin', async () => {
    await prepareReady('granted');
    const privacyTreatments = { treatments: ['disablePersonalization'] };
    expect(record().config).toEqual([{ privacyTreatments, safeFrame: { forceSafeFrame: true } }]);
  });

  it('needs no consent: contextual ads require none, and the tag reads a refusal itself', async () => {
    scripts = ['consent-denied'];
    prepare();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(record().privacy).toEqual([{ nonPersonalizedAds: true, restrictDataProcessing: false }]);
    expect(record().calls).not.toContain('tcfapi');
    Reflect.deleteProperty(window, '__tcfapi');
  });

  it('leaves other entries of the queue in place', async () => {
    const other = vi.fn();
    Reflect.set(window, 'googletag', { cmd: [other] });
    await prepareReady('granted');
    expect(other).toHaveBeenCalledOnce();
  });

  it('loads the tag once for any number of downloads', async () => {
    const provider = makeProvider();
    for (let count = 0; count < 3; count += 1) {
      const result = prepare(provider);
      await vi.advanceTimersByTimeAsync(1_000);
      const outcomes = watch(result.ad as LoadedAd);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(outcomes).toMatchObject([{ outcome: 'granted' }]);
    }
    expect(added).toHaveLength(1);
    expect(record()).toMatchObject(NOTHING);
  });

  it('loads nothing on a page whose policy allows no ad network', async () => {
    const result = prepare(makeProvider({ adUnit: null }));
    await vi.advanceTimersByTimeAsync(0);
    expect(result.ad).toEqual({ kind: 'unavailable', reason: 'page_without_ads' });
    expect(added).toEqual([]);
  });
});

describe('a script that does not load', () => {
  it('is retried after 2 s and after 8 s, and removed each time', async () => {
    scripts = ['script-404', 'script-404', 'granted'];
    const result = prepare();
    await vi.advanceTimersByTimeAsync(2_049);
    expect(added).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(added).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(8_050);
    expect(added).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(result.ad?.kind).toBe('ready');
    expect(takenOut).toBe(2);
  });

  it('does not delay the next downloads for five minutes', async () => {
    scripts = ['script-404'];
    const provider = makeProvider();
    prepare(provider);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(added).toHaveLength(3);
    const next = prepare(provider);
    await vi.advanceTimersByTimeAsync(0);
    expect(next.ad).toEqual({ kind: 'unavailable', reason: 'script_error' });
    scripts = ['granted'];
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    const later = prepare(provider);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(later.ad?.kind).toBe('ready');
  });

  it('has no effect when it arrives late', async () => {
    scripts = ['script-hang'];
    const result = prepare();
    await vi.advanceTimersByTimeAsync(8_000);
    expect(takenOut).toBe(1);
    installGoogletag('granted');
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(result.ad).toEqual({ kind: 'unavailable', reason: 'script_timeout' });
    expect(record().calls).toEqual([]);
  });

  it('is also removed after the visitor has left', async () => {
    scripts = ['script-404'];
    const controller = new AbortController();
    const provider = makeProvider();
    prepare(provider, controller.signal);
    await vi.advanceTimersByTimeAsync(20);
    controller.abort();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(takenOut).toBe(1);
    scripts = ['granted'];
    const next = prepare(provider);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(next.ad?.kind).toBe('ready');
    expect(added).toHaveLength(2);
  });

  it('is in the page once, and its failure reaches every waiting caller', () => {
    const page = window as unknown as { happyDOM: { settings: Record<string, boolean> } };
    page.happyDOM.settings['handleDisabledFileLoadingAsSuccess'] = true;
    const onErrors = [vi.fn(), vi.fn()];
    const [takeOut] = onErrors.map((onError) => addScriptToPage(GPT_URL, onError));
    const [script, ...others] = document.querySelectorAll('script');
    expect(others).toEqual([]);
    expect(script!.async).toBe(true);
    script!.dispatchEvent(new Event('error'));
    for (const onError of onErrors) expect(onError).toHaveBeenCalledOnce();
    takeOut!();
    expect(document.querySelector('script')).toBeNull();
  });
});

describe('leaving', () => {
  it.each([
    ['while the script loads', 20],
    ['while an ad is looked for', 100],
  ])('%s cancels the download in progress', async (_, atMs) => {
    const controller = new AbortController();
    const result = prepare(makeProvider(), controller.signal);
    await vi.advanceTimersByTimeAsync(atMs);
    controller.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(result.ad).toEqual({ kind: 'unavailable', reason: 'cancelled' });
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(record()).toMatchObject(NOTHING);
  });

  it.each([
    ['by the router', () => document.dispatchEvent(new Event('astro:before-swap'))],
    ['by the browser', () => window.dispatchEvent(new Event('pagehide'))],
  ])('%s while the ad is shown ends it', async (_, leave) => {
    const outcomes = watch(await prepareReady('dismissed'));
    await vi.advanceTimersByTimeAsync(700);
    leave();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(outcomes).toEqual([{ outcome: 'dismissed', atMs: 700 }]);
    expect(record()).toMatchObject(NOTHING);
    expect(wasDestroyed()).toBe(1);
  });

  it('after the reward keeps it', async () => {
    const ad = await prepareReady('granted');
    const outcomes = watch(ad);
    await vi.advanceTimersByTimeAsync(700);
    ad.dispose();
    ad.dispose();
    await vi.advanceTimersByTimeAsync(MINUTE);
    expect(outcomes).toEqual([{ outcome: 'granted', atMs: 700 }]);
    expect(wasDestroyed()).toBe(1);
  });

  it('with another download removes the first ad: one at a time', async () => {
    const provider = makeProvider();
    const first = prepare(provider);
    await vi.advanceTimersByTimeAsync(1_000);
    const second = prepare(provider);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(record()).toMatchObject({ slots: 1, listeners: 4 });
    expect(await (first.ad as LoadedAd).show()).toBe('dismissed');
    expect(second.ad?.kind).toBe('ready');
  });
});

describe('an ad that waits', () => {
  it('is abandoned after half an hour', async () => {
    const ad = await prepareReady('granted');
    await vi.advanceTimersByTimeAsync(30 * MINUTE);
    expect(await ad.show()).toBe('failed');
    expect(record().calls).not.toContain('makeRewardedVisible');
    expect(record().slots).toBe(0);
  });

  it.each([
    [9, 'granted'],
    [11, 'failed'],
  ])('in a tab hidden for %i minutes is %s', async (minutes, expected) => {
    const ad = await prepareReady('granted');
    const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(minutes * MINUTE);
    state.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    const outcomes = watch(ad);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(outcomes).toMatchObject([{ outcome: expected }]);
  });

  it('and never ends grants nothing, and ends when it is left', async () => {
    const ad = await prepareReady('never-ends');
    const outcomes = watch(ad);
    await vi.advanceTimersByTimeAsync(60 * MINUTE);
    expect(outcomes).toEqual([]);
    ad.dispose();
    await vi.advanceTimersByTimeAsync(0);
    expect(outcomes).toMatchObject([{ outcome: 'dismissed' }]);
    expect(record()).toMatchObject(NOTHING);
  });
});
