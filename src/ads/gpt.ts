import { watchAdBoundary } from './boundary.ts';
import { sleep } from '../lib/clock.ts';
import { requestRewardedAd } from './gpt-slot.ts';
import { addScriptToPage, loadGpt } from './gpt-tag.ts';
import type { AddScript } from './gpt-tag.ts';
import { unavailable } from './provider.ts';
import type { AdRequest, LoadedAd, NoAd, RewardedAdProvider } from './provider.ts';

/** Wait before the tag's script is requested again after a failure; then the next provider is tried. */
const RETRIES_AFTER_MS = [2_000, 8_000];
/** After this many failures a blocker is assumed, and later downloads do not wait for the script. */
const REFUSED_MS = 5 * 60 * 1000;

export interface GptOptions {
  /** The operator's ad unit; null on a page whose policy allows no ad network. */
  readonly findAdUnit: () => string | null;
  readonly addScript: AddScript;
}

/** Rewarded ads of Google Ad Manager, by the Google Publisher Tag. Requests one at a time. */
export function createGptProvider({ findAdUnit, addScript }: GptOptions): RewardedAdProvider {
  let cancelLast = () => {};
  let refusedUntil = 0;

  async function attempt(adUnit: string, request: AdRequest): Promise<LoadedAd | NoAd> {
    const gpt = await loadGpt(request, addScript);
    if (typeof gpt === 'string') return unavailable(gpt);
    if (request.signal.aborted) return unavailable('cancelled');
    return requestRewardedAd(gpt, adUnit, request);
  }

  return {
    name: 'gpt',
    async prepare(request) {
      const adUnit = findAdUnit();
      if (adUnit === null) return unavailable('page_without_ads');
      // Before the tag loads: from then on, navigation to a page without networks is a full load.
      watchAdBoundary();
      const { clock } = request;
      if (clock.now() < refusedUntil) return unavailable('script_error');
      cancelLast();
      const waiting = new AbortController();
      const { signal } = waiting;
      const stopWaiting = () => waiting.abort();
      cancelLast = stopWaiting;
      request.signal.addEventListener('abort', stopWaiting, { once: true });
      if (request.signal.aborted) stopWaiting();
      try {
        for (const [index, delayMs] of [0, ...RETRIES_AFTER_MS].entries()) {
          if (index > 0) await sleep(clock, delayMs, signal);
          if (signal.aborted) return unavailable('cancelled');
          const result = await attempt(adUnit, { ...request, signal });
          if (result.kind === 'ready' && signal.aborted) {
            result.dispose();
            return unavailable('cancelled');
          }
          if (result.kind === 'ready') cancelLast = result.dispose;
          if (result.kind === 'ready' || result.reason !== 'script_error') return result;
        }
      } catch (error) {
        console.error('The ad tag failed.', error);
        return unavailable('exception');
      } finally {
        request.signal.removeEventListener('abort', stopWaiting);
      }
      refusedUntil = clock.now() + REFUSED_MS;
      return unavailable('script_error');
    },
  };
}

/** The ad unit is in the head of pages that may show ads of a network. */
export const gptProvider = createGptProvider({
  findAdUnit: () => document.querySelector<HTMLMetaElement>('meta[name="ad-unit"]')?.content || null,
  addScript: addScriptToPage,
});
