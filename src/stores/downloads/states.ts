import type { AdProviderName, Notice } from '../../../contract/downloads/ads.ts';
import type { AdOutcome } from '../../ads/provider.ts';
import type { DownloadGrant } from './grants.ts';

export interface DownloadedSound {
  readonly id: string;
  readonly title: string;
  readonly artist: string;
}

/** What the user sees of a download (spec §2, §4). The answers are sent with `answerDownload`. */
export type DownloadView = { readonly sound: DownloadedSound } &
  /** Yes continues, no ends the download. */
  (
    | { readonly state: 'asking' | 'ready' | 'dismissed' }
    /** The user has agreed, and the advertisement loads. No ends the download. */
    | { readonly state: 'preparing' }
    /** The advertisement has not ended for minutes. Yes closes it, no returns to it. */
    | { readonly state: 'stuck' }
    /** The host checks the time. Either answer closes the sheet; the file is delivered anyway. */
    | { readonly state: 'settling' }
    /** Our own notice, an advertisement in its own frame, or a file being fetched: nothing to answer. */
    | { readonly state: 'watching' | 'external-ad' | 'fetching' }
  );

/** Shown once a file has been sent to the browser. `notice` is the operator's picture; it may come later. */
export interface DownloadFollowUp {
  readonly sound: DownloadedSound;
  readonly notice: Notice | null;
  /** The id of the certificate, if the host gave one. */
  readonly certificate: string | null;
}

/** State of one download. */
export type DownloadState =
  | { readonly step: 'idle' }
  /** The browser has a logged grant; the host is asked for a new intent. `at` is the time of the grant. */
  | { readonly step: 'renewing'; readonly at: number }
  /** The sheet's script loads. */
  | { readonly step: 'opening' }
  /** Another download shows its prompts. */
  | { readonly step: 'queued' }
  | { readonly step: 'asking'; readonly providers: readonly AdProviderName[] }
  /** The host is asked for an intent. */
  | { readonly step: 'beginning'; readonly providers: readonly AdProviderName[] }
  /** `names` are the providers still to try. */
  | (Plan & { readonly step: 'loading'; readonly names: readonly AdProviderName[] })
  /** The advertisement must be shown within a press. */
  | (Plan & { readonly step: 'ready'; readonly ad: Ad })
  /** Our own notice, or a network's advertisement in its own frame; `stuck`: it has not ended for minutes. */
  | (Plan & { readonly step: AdStep; readonly ad: Ad })
  /** The advertisement is being closed. Its outcome still counts. */
  | (Plan & {
      readonly step: 'closing';
      readonly ad: Ad;
      /** The step whose view stays. */
      readonly from: AdStep;
      readonly hasLeft: boolean;
    })
  | (Plan & { readonly step: 'dismissed' })
  /** The host is asked for the file's address. */
  | (Delivery & { readonly step: 'requesting' })
  /** The host has counted less time than the browser; it is asked again after a wait. */
  | (Delivery & { readonly step: 'settling' })
  | (Delivery & { readonly step: 'fetching'; readonly certificate: string | null })
  /** CORS forbids reading the file; the user is asked whether to open it in a tab. */
  | (Delivery & { readonly step: 'offering'; readonly url: string; readonly certificate: string | null })
  | { readonly step: 'over'; readonly outcome: DownloadOutcome };

export type AdStep = 'watching' | 'external-ad' | 'stuck';

/** `again`: the file did not arrive, and a press fetches it without another advertisement. */
export type DownloadOutcome = 'done' | 'left' | 'again';

/** What an advertisement is shown for. */
export interface Plan {
  /** The grant if nothing is shown: not rewarded. */
  readonly grant: DownloadGrant;
  /** All providers chosen by the operator, for another attempt. */
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
  /** The notice that was watched for this download. */
  readonly notice: Notice | null;
  /** A rewarded file is not saved before this time, in ms since 1970; null: no wait. */
  readonly notBefore: number | null;
  /** How often the host has been behind. */
  readonly refusals: number;
  /** The sheet that shows the check. Closing it does not cancel the download. */
  readonly sheet: 'unopened' | 'open' | 'closed';
}

/** Events of a download. `at` is a time in ms since 1970. */
export type DownloadEvent =
  | {
      readonly type: 'started';
      readonly at: number;
      readonly grant: DownloadGrant | undefined;
      /** The host keeps intents and counts downloads. */
      readonly isHostCounting: boolean;
    }
  | { readonly type: 'sheet-opened' }
  | { readonly type: 'sheet-missing'; readonly error: unknown }
  | { readonly type: 'turn-came'; readonly providers: readonly AdProviderName[] }
  /** The user's answers (`answerDownload`). */
  | { readonly type: 'accepted' }
  | { readonly type: 'declined' }
  /** `intent` is null if the host keeps none or does not answer. */
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
  | { readonly type: 'url'; readonly url: string; readonly certificate: string | null }
  | { readonly type: 'unreadable'; readonly url: string; readonly error: unknown }
  /** The user wants the file opened in a tab. */
  | { readonly type: 'tab-accepted' }
  | { readonly type: 'saved' }
  /** An effect threw. `hasGrant`: this browser keeps a grant. `isGone`: the host no longer has the sound. */
  | {
      readonly type: 'failed';
      readonly error: unknown;
      readonly hasGrant: boolean;
      readonly isGone: boolean;
    }
  /** The router loads another page. */
  | { readonly type: 'page-left' };

export interface DownloadIntent {
  readonly id: string;
  readonly is_granted: boolean;
}

/** Result of a transition. Durations are in ms. */
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
  | { readonly do: 'follow-up'; readonly notice: Notice | null; readonly certificate: string | null }
  | { readonly do: 'tell-failure' | 'tell-missing'; readonly error: unknown };

/** What the user sees in a state; null: nothing. */
export function toView(state: DownloadState): DownloadView['state'] | null {
  switch (state.step) {
    case 'asking':
    case 'ready':
    case 'watching':
    case 'external-ad':
    case 'stuck':
    case 'dismissed':
      return state.step;
    case 'beginning':
      return hasAds(state.providers) ? 'preparing' : null;
    case 'loading':
      return 'preparing';
    // The dialog stays until the outcome is known: one that closes briefly would lose focus.
    case 'closing':
      return state.from;
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
  'external-ad',
  'stuck',
  'closing',
  'dismissed',
]);

/** Whether the download may show prompts now: one at a time, or two would answer for each other. */
export function isAsking({ step }: DownloadState): boolean {
  return ASKING.has(step);
}

/** Whether the file is on its way to a page that has to stay for it. */
export function isDelivering({ step }: DownloadState): boolean {
  return ['renewing', 'requesting', 'settling', 'fetching'].includes(step);
}

/** Whether the operator chose a provider that can show an advertisement. Otherwise no consent is asked. */
export function hasAds(providers: readonly AdProviderName[]): boolean {
  return providers.some((name) => name !== 'none');
}
