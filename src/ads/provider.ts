import type { AdProviderName, Notice } from '../../contract/ads.ts';

/** Why there was nothing to show; only logs tell them apart. */
export type NoAdReason =
  | 'not_configured'
  | 'strict_page'
  | 'consent_required'
  | 'script_error'
  | 'script_timeout'
  | 'blocked_stub'
  | 'unsupported'
  | 'no_fill'
  | 'ready_timeout'
  | 'show_failed'
  | 'exception';

export interface NoAd {
  readonly kind: 'unavailable';
  readonly reason: NoAdReason;
}

export function unavailable(reason: NoAdReason): NoAd {
  return { kind: 'unavailable', reason };
}

/** `granted`: seen through. `dismissed`: the person closed it before. `failed`: nothing was to be seen. */
export type AdOutcome = 'granted' | 'dismissed' | 'failed';

export interface LoadedAd {
  readonly kind: 'ready';
  readonly provider: AdProviderName;
  /** Whether `show` has to be called within a press; the person is then asked for one. */
  readonly needsPress: boolean;
  /** Whether it may be heard: the player rests meanwhile. */
  readonly hasSound: boolean;
  /** What is shown, where it is the operator's own. */
  readonly notice?: Notice;
  /** Called once. Settles once and never rejects; `dispose` while it is shown settles it as `dismissed`. */
  show(): Promise<AdOutcome>;
  /** Takes everything of it off the page; safe at any time and more than once. */
  dispose(): void;
}

/** The time of tests stands still until they move it. */
export interface AdClock {
  now(): number;
  /** Calls back once after `ms`; what it returns calls that off. */
  after(ms: number, callBack: () => void): () => void;
}

export interface AdRequest {
  readonly soundId: string;
  /** What our own host knows the download by; null on a host that keeps no intents. */
  readonly intent: string | null;
  /** Aborted when the person leaves before the ad is ready: whatever is under way is undone. */
  readonly signal: AbortSignal;
  readonly clock: AdClock;
}

/** Who brings an advertisement. Nothing of it is loaded before `prepare`, which follows the person's consent. */
export interface RewardedAdProvider {
  readonly name: AdProviderName;
  /** Never rejects. */
  prepare(request: AdRequest): Promise<LoadedAd | NoAd>;
}
