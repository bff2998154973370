import type { AdProviderName } from '../../contract/downloads/ads.ts';
import { unavailable } from './provider.ts';
import type { AdRequest, LoadedAd, NoAd, NoAdReason, RewardedAdProvider } from './provider.ts';
import { within } from './signals.ts';

/** Each loads with the first download that uses it. */
const PROVIDERS: Readonly<Record<AdProviderName, () => Promise<RewardedAdProvider>>> = {
  house: async () => (await import('./house.ts')).houseProvider,
  gpt: async () => (await import('./gpt.ts')).gptProvider,
  // The operator shows nothing: every download continues without an advertisement.
  none: () =>
    Promise.resolve({ name: 'none', prepare: () => Promise.resolve(unavailable('not_configured')) }),
};

/** Longer than any provider's own limit: one that does not answer must not block the next. */
const PROVIDER_MS_MAX = 30_000;

export type LoadProvider = (name: AdProviderName) => Promise<RewardedAdProvider>;

/** The operator's providers in order of preference, from the layout. */
export function readProviderNames(): AdProviderName[] {
  const { content = '' } = document.querySelector<HTMLMetaElement>('meta[name="ads"]') ?? {};
  return content.split(',').filter((name): name is AdProviderName => name in PROVIDERS);
}

export interface NoAds {
  readonly kind: 'unavailable';
  /** The outcome of each provider, in order. */
  readonly reasons: readonly { readonly provider: AdProviderName; readonly reason: NoAdReason }[];
}

/** Returns the first available advertisement, trying one provider after the other. Never rejects. */
export async function prepareAd(
  names: readonly AdProviderName[],
  request: AdRequest,
  load: LoadProvider = (name) => PROVIDERS[name](),
): Promise<LoadedAd | NoAds> {
  const reasons: { provider: AdProviderName; reason: NoAdReason }[] = [];
  for (const provider of names) {
    if (request.signal.aborted) break;
    const { clock, signal } = request;
    const ad = await within({ clock, ms: PROVIDER_MS_MAX, signal }, async (asking) =>
      prepareOne(await load(provider), { ...request, signal: asking }),
    )
      // A script that does not load (offline, blocked) counts as no advertisement.
      .catch(() => unavailable('exception'));
    if (ad?.kind === 'ready') return ad;
    const reason = ad?.reason ?? (signal.aborted ? 'cancelled' : 'ready_timeout');
    reasons.push({ provider, reason });
  }
  return { kind: 'unavailable', reasons };
}

/** An advertisement that arrives too late is disposed of. */
async function prepareOne(provider: RewardedAdProvider, request: AdRequest): Promise<LoadedAd | NoAd> {
  if (request.signal.aborted) return unavailable('cancelled');
  const ad = await provider.prepare(request);
  if (ad.kind === 'ready' && request.signal.aborted) ad.dispose();
  return ad;
}
