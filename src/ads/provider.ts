import type { AdProviderName, Notice } from '../../contract/downloads/ads.ts';
import type { Clock } from '../lib/clock.ts';

/** Why no advertisement was available; used for logs only. */
export type NoAdReason =
  | 'not_configured'
  | 'page_without_ads'
  | 'cancelled'
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

/** `granted`: watched to the end. `dismissed`: closed before the end. `failed`: nothing was shown. */
export type AdOutcome = 'granted' | 'dismissed' | 'failed';

export interface LoadedAd {
  readonly kind: 'ready';
  readonly provider: AdProviderName;
  /** Whether `show` must be called within a press; the user is then asked for one. */
  readonly needsPress: boolean;
  /** Whether it may be audible: the player pauses meanwhile. */
  readonly hasSound: boolean;
  /** The notice, if it is the operator's own. */
  readonly notice?: Notice;
  /** Called once. Settles once and never rejects; `dispose` while it is shown settles it as `dismissed`. */
  show(): Promise<AdOutcome>;
  /** Removes all of it from the page; safe at any time and repeatedly. */
  dispose(): void;
}

export interface AdRequest {
  readonly soundId: string;
  /** Id of the download on our own host; null on a host without intents. */
  readonly intent: string | null;
  /** Aborted when the user leaves before the ad is ready; pending work is undone. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** A provider of advertisements. It loads nothing before `prepare`, which follows the user's consent. */
export interface RewardedAdProvider {
  readonly name: AdProviderName;
  /** Never rejects. */
  prepare(request: AdRequest): Promise<LoadedAd | NoAd>;
}
