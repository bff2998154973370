// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest';
import type { AdProviderName } from '#contract/downloads/ads.ts';
import { prepareAd, readProviderNames } from '#src/ads/chain.ts';
import { createHouseProvider } from '#src/ads/house.ts';
import type { AdRequest, LoadedAd, RewardedAdProvider } from '#src/ads/provider.ts';
import { createTestClock } from '../support/ad-clock.ts';
import { NOTICE } from '../support/notices.ts';

const ad: LoadedAd = {
  kind: 'ready',
  provider: 'house',
  needsPress: false,
  hasSound: false,
  show: () => Promise.resolve('granted'),
  dispose: () => undefined,
};

function request(changes: Partial<AdRequest> = {}): AdRequest {
  const { signal } = new AbortController();
  return { soundId: '1', intent: null, signal, clock: createTestClock(), ...changes };
}

function provide(answers: Partial<Record<AdProviderName, RewardedAdProvider['prepare']>>) {
  return vi.fn(async (name: AdProviderName): Promise<RewardedAdProvider> => {
    const prepare = answers[name];
    if (!prepare) throw new Error('its script does not load');
    return { name, prepare };
  });
}

describe('providers', () => {
  it('are asked in the given order, and none after the first that has an ad', async () => {
    const load = provide({
      gpt: () => Promise.resolve({ kind: 'unavailable', reason: 'no_fill' }),
      house: () => Promise.resolve(ad),
      none: () => Promise.reject(new Error('not asked')),
    });
    expect(await prepareAd(['gpt', 'house', 'none'], request(), load)).toBe(ad);
    expect(load.mock.calls).toEqual([['gpt'], ['house']]);
  });

  it('that fail to load or to answer are skipped, and their reasons are recorded separately', async () => {
    const load = provide({ house: () => Promise.resolve({ kind: 'unavailable', reason: 'not_configured' }) });
    expect(await prepareAd(['gpt', 'house'], request(), load)).toEqual({
      kind: 'unavailable',
      reasons: [
        { provider: 'gpt', reason: 'exception' },
        { provider: 'house', reason: 'not_configured' },
      ],
    });
  });

  it('are not asked after the visitor has left', async () => {
    const leaving = new AbortController();
    const load = provide({
      gpt: async () => {
        leaving.abort();
        return { kind: 'unavailable', reason: 'no_fill' };
      },
      house: () => Promise.resolve(ad),
    });
    const answer = await prepareAd(['gpt', 'house'], request({ signal: leaving.signal }), load);
    expect(answer.kind).toBe('unavailable');
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('that do not answer are skipped after half a minute, and late ads are removed', async () => {
    const clock = createTestClock();
    const dispose = vi.fn();
    let bring: (late: LoadedAd) => void = () => undefined;
    const load = provide({
      gpt: () => new Promise((resolve) => (bring = resolve)),
      house: () => Promise.resolve(ad),
    });
    const answer = prepareAd(['gpt', 'house'], request({ clock }), load);
    await clock.pass(30_000);
    expect(await answer).toBe(ad);
    bring({ ...ad, dispose });
    await clock.pass(0);
    expect(dispose).toHaveBeenCalledOnce();
    expect(clock.waiting).toBe(0);
  });

  it.each(['their script', 'they themselves'])(
    'are abandoned at once although %s does not answer',
    async (who) => {
      const leaving = new AbortController();
      const never = () => new Promise<never>(() => {});
      const load = who === 'their script' ? vi.fn(never) : provide({ gpt: never });
      const answer = prepareAd(['gpt', 'house'], request({ signal: leaving.signal }), load);
      leaving.abort();
      expect(await answer).toEqual({
        kind: 'unavailable',
        reasons: [{ provider: 'gpt', reason: 'cancelled' }],
      });
      expect(load).toHaveBeenCalledTimes(1);
    },
  );

  it('are read from the head of the page; unknown ones are ignored', () => {
    document.head.innerHTML = '<meta name="ads" content="gpt,house,other">';
    expect(readProviderNames()).toEqual(['gpt', 'house']);
    document.head.innerHTML = '';
    expect(readProviderNames()).toEqual([]);
  });
});

describe('the house provider', () => {
  it('has nothing where the operator has no notice, or the host does not answer', async () => {
    for (const findNotice of [() => Promise.resolve(null), () => Promise.reject(new Error('offline'))]) {
      const house = createHouseProvider({ findNotice, report: vi.fn() });
      expect(await house.prepare(request())).toEqual({ kind: 'unavailable', reason: 'not_configured' });
    }
  });

  it.each([
    ['reports to a host that keeps intents', 'intent-1', 2],
    ['times it alone for a host that does not', null, 0],
  ])('%s', async (_, intent, reports) => {
    const clock = createTestClock();
    const report = vi.fn(() => Promise.resolve({ watched_ms: 5_000, needed_ms: 5_000 }));
    const house = createHouseProvider({ findNotice: () => Promise.resolve(NOTICE), report });
    const { $watch } = await import('#src/ads/house.ts');
    const loaded = await house.prepare(request({ intent, clock }));
    if (loaded.kind !== 'ready') throw new Error('nothing was loaded');
    const outcome = loaded.show();
    $watch.get()?.begin();
    await clock.pass(5_100);
    expect(await outcome).toBe('granted');
    expect($watch.get()).toBeNull();
    expect(report).toHaveBeenCalledTimes(reports);
    loaded.dispose();
  });
});
