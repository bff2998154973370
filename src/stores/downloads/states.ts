import type { AdProviderName, Notice } from '../../../contract/ads.ts';
import type { AdOutcome } from '../../ads/provider.ts';
import type { DownloadGrant } from './grants.ts';

export interface DownloadedSound {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
}

/** What the person sees of a download (spec §2, §4). The answers are those of `answerDownload`. */
export type DownloadView = { readonly sound: DownloadedSound } &
  /** Yes goes on, no ends the download. */
  (
    | { readonly state: 'asking' | 'ready' | 'dismissed' }
    /** Has agreed, and the advertisement loads. No ends the download. */
    | { readonly state: 'preparing' }
    /** The advertisement has not ended for minutes. Yes closes it, no returns to it. */
    | { readonly state: 'stuck' }
    /** The host checks the time. Either answer closes the sheet; the file comes all the same. */
    | { readonly state: 'settling' }
    /** A notice of our own, an advertisement in a frame of its own, a file on its way: nothing to answer. */
    | { readonly state: 'watching' | 'elsewhere' | 'fetching' }
  );

/** What is shown once a file is on its way. `notice` is a picture of the operator's and may come later. */
export interface DownloadFollowUp {
  readonly sound: DownloadedSound;
  readonly notice: Notice | null;
}

/** Where one download stands. */
export type DownloadState =
  | { readonly step: 'idle' }
  /** The browser knows of a logged grant; the host is asked for a new intent. `at` is the time of the grant. */
  | { readonly step: 'renewing'; readonly at: number }
  /** The sheet's script loads. */
  | { readonly step: 'opening' }
  /** Another download shows its prompts. */
  | { readonly step: 'queued' }
  | { readonly step: 'asking'; readonly providers: readonly AdProviderName[] }
  /** The host is asked for an intent. */
  | { readonly step: 'beginning'; readonly providers: readonly AdProviderName[] }
  /** `names` are the providers that are still to be tried. */
  | (Plan & { readonly step: 'loading'; readonly names: readonly AdProviderName[] })
  /** The advertisement has to be shown within a press. */
  | (Plan & { readonly step: 'ready'; readonly ad: Ad })
  /** A notice of our own, or a network's advertisement in its own frame; `stuck`: that has not ended for minutes. */
  | (Plan & { readonly step: AdStep; readonly ad: Ad })
  /** The advertisement has been told to close. Its outcome still counts. */
  | (Plan & {
      readonly step: 'closing';
      readonly ad: Ad;
      readonly shown: AdStep;
      readonly hasLeft: boolean;
    })
  | (Plan & { readonly step: 'dismissed' })
  /** The host is asked for the file's address. */
  | (Delivery & { readonly step: 'requesting' })
  /** The host has counted less time than the browser; it is asked again after a wait. */
  | (Delivery & { readonly step: 'settling' })
  | (Delivery & { readonly step: 'fetching' })
  /** The page may not read the file; the person is asked whether to open it in a tab. */
  | (Delivery & { readonly step: 'offering'; readonly url: string })
  | { readonly step: 'over'; readonly outcome: DownloadOutcome };

export type AdStep = 'watching' | 'elsewhere' | 'stuck';

/** `again`: the file did not come, and a press fetches it without another advertisement. */
export type DownloadOutcome = 'done' | 'left' | 'again';

/** What an advertisement is shown for. */
export interface Plan {
  /** The grant if nothing is shown: not rewarded. */
  readonly grant: DownloadGrant;
  /** Everyone the operator chose, for another attempt. */
  readonly providers: readonly AdProviderName[];
}

export interface Ad {
  readonly provider: AdProviderName;
  /** Null for an advertisement of a network. */
  readonly notice: Notice | null;
  /** The providers to try if this one fails. */
  readonly rest: readonly AdProviderName[];
}

export interface Delivery {
  readonly grant: DownloadGrant;
  /** The notice that was watched now. */
  readonly notice: Notice | null;
  /** A rewarded file is not saved before this time, in ms since 1970; null: at once. */
  readonly notBefore: number | null;
  /** How often the host has been behind. */
  readonly refusals: number;
  /** The sheet that says so. Closing it does not cancel the download. */
  readonly sheet: 'unopened' | 'open' | 'closed';
}

/** What happens to a download. `at` is a time in ms since 1970. */
export type DownloadEvent =
  | {
      readonly type: 'started';
      readonly at: number;
      readonly kept: DownloadGrant | undefined;
      /** The host keeps intents and counts downloads. */
      readonly isHostCounting: boolean;
    }
  | { readonly type: 'sheet-opened' }
  | { readonly type: 'sheet-missing'; readonly error: unknown }
  | { readonly type: 'turn-came'; readonly providers: readonly AdProviderName[] }
  /** The answers of the person (`answerDownload`). */
  | { readonly type: 'accepted' }
  | { readonly type: 'declined' }
  /** `intent` is null on a host that keeps none, or does not answer. */
  | { readonly type: 'begun'; readonly at: number; readonly intent: DownloadIntent | null }
  | { readonly type: 'no-ad' }
  | {
      readonly type: 'ad-loaded';
      readonly provider: AdProviderName;
      readonly notice: Notice | null;
      readonly needsPress: boolean;
    }
  | { readonly type: 'stuck' }
  | { readonly type: 'ad-ended'; readonly at: number; readonly outcome: AdOutcome }
  | { readonly type: 'behind'; readonly retryAfterMs: number | undefined }
  | { readonly type: 'settled' }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'unreadable'; readonly url: string; readonly error: unknown }
  /** The person wants the file opened in a tab. */
  | { readonly type: 'tab-accepted' }
  | { readonly type: 'saved' }
  /** An effect threw. `hasGrant`: this browser keeps a grant. `isGone`: the host has no such sound. */
  | {
      readonly type: 'failed';
      readonly error: unknown;
      readonly hasGrant: boolean;
      readonly isGone: boolean;
    }
  /** The router brings another page. */
  | { readonly type: 'page-left' };

export interface DownloadIntent {
  readonly id: string;
  readonly is_granted: boolean;
}

/** What a transition has done. Durations are in ms. */
export type DownloadEffect =
  | { readonly do: 'open-sheet' | 'take-turn' | 'begin' }
  | {
      readonly do: 'load-ad';
      readonly names: readonly AdProviderName[];
      readonly intent: string | null;
    }
  | { readonly do: 'show-ad' | 'return-to-ad' | 'close-ad' | 'alert-no-ad' }
  | { readonly do: 'offer-way-out'; readonly afterMs: number }
  | { readonly do: 'keep-grant'; readonly grant: DownloadGrant }
  | { readonly do: 'drop-grant' }
  | { readonly do: 'request-url'; readonly grant: DownloadGrant; readonly log: boolean }
  | { readonly do: 'settle'; readonly grant: DownloadGrant; readonly waitMs: number }
  | { readonly do: 'fetch-file'; readonly url: string; readonly notBefore: number | null }
  | { readonly do: 'offer-tab'; readonly error: unknown }
  | { readonly do: 'open-tab'; readonly url: string }
  | { readonly do: 'follow-up'; readonly notice: Notice | null }
  | { readonly do: 'tell-failure' | 'tell-missing'; readonly error: unknown };

/** What the person sees in a state; null: nothing. */
export function toView(state: DownloadState): DownloadView['state'] | null {
  switch (state.step) {
    case 'asking':
    case 'ready':
    case 'watching':
    case 'elsewhere':
    case 'stuck':
    case 'dismissed':
      return state.step;
    case 'beginning':
      return hasAds(state.providers) ? 'preparing' : null;
    case 'loading':
      return 'preparing';
    // Until the outcome is there: a dialog that closed for a moment would give focus away.
    case 'closing':
      return state.shown;
    case 'requesting':
    case 'settling':
      return state.sheet === 'open' ? 'settling' : 'fetching';
    case 'fetching':
    case 'offering':
      return 'fetching';
    default:
      return null;
  }
}

const ASKING: ReadonlySet<DownloadState['step']> = new Set([
  'asking',
  'beginning',
  'loading',
  'ready',
  'watching',
  'elsewhere',
  'stuck',
  'closing',
  'dismissed',
]);

/** Whether the download may show prompts now: one at a time, or two would answer for each other. */
export function isAsking({ step }: DownloadState): boolean {
  return ASKING.has(step);
}

/** Whether the operator chose anyone who could show an advertisement. Otherwise no consent is asked. */
export function hasAds(providers: readonly AdProviderName[]): boolean {
  return providers.some((name) => name !== 'none');
}
