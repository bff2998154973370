import type { Notice } from '../../../contract/downloads/ads.ts';
import type { DownloadGrant } from './grants.ts';
import type {
  Ad,
  AdStep,
  DownloadEffect,
  DownloadEvent,
  DownloadIntent,
  DownloadState,
  Plan,
} from './states.ts';
import { hasAds } from './states.ts';

/**
 * One download as a state machine: a pure function from a state and an event to the next state and the effects to
 * run. `effects.ts` runs them and sends the resulting events. The full diagram is in decision 073.
 *
 * ```mermaid
 * stateDiagram-v2
 *   [*] --> opening: started
 *   [*] --> requesting: started with a grant
 *   opening --> queued --> asking --> beginning --> loading
 *   loading --> watching: notice of our own
 *   loading --> ready: ad of a network
 *   ready --> externalAd: accepted
 *   watching --> requesting: granted
 *   externalAd --> requesting: granted
 *   externalAd --> dismissed: closed early
 *   dismissed --> loading: accepted
 *   requesting --> settling: host is behind
 *   settling --> requesting: settled
 *   requesting --> fetching: url
 *   fetching --> [*]: saved
 * ```
 */
export function reduce(state: DownloadState, event: DownloadEvent): Transition {
  if (event.type === 'failed' && state.step !== 'over') return fail(event);
  const act = TABLE[state.step][event.type] as
    ((state: DownloadState, event: DownloadEvent) => Transition) | undefined;
  return act?.(state, event) ?? go(state);
}

export interface Transition {
  readonly state: DownloadState;
  readonly effects: readonly DownloadEffect[];
}

/** Spec §9: from the grant to the file. */
const GRANT_TO_FILE_MS = 500;
/** How long an advertisement in its own frame is visible before it gets a way out, and the interval after that. */
const STUCK_AFTER_MS = 180_000;
const STUCK_AGAIN_AFTER_MS = 60_000;
/** How often a host that is behind is asked again, and the wait when it does not name one. */
const SETTLE_TRIES = 5;
const SETTLE_MS = 2_000;
const SETTLE_MS_MAX = 5_000;

type Step = DownloadState['step'];
type Named<Name extends Step> = DownloadState & { readonly step: Name };
type Of<Type extends DownloadEvent['type']> = Extract<DownloadEvent, { type: Type }>;
type Table = {
  readonly [Name in Step]: {
    readonly [Type in DownloadEvent['type']]?: (state: Named<Name>, event: Of<Type>) => Transition;
  };
};

const left = () => go({ step: 'over', outcome: 'left' });
const LEAVES = { 'page-left': left };
const CAN_LEAVE = { ...LEAVES, declined: left };
const CLOSES_SHEET = { accepted: closeSheet, declined: closeSheet };
const ENDS = { 'ad-ended': endAd, 'page-left': (state: Named<AdStep>) => closeAd(state, true) };

/** What each state does with each event. An event that is not listed changes nothing. */
const TABLE: Table = {
  idle: {
    started: (_, { at, grant, isHostCounting }) => {
      if (!grant) return go({ step: 'opening' }, { do: 'open-sheet' });
      // A host that counts downloads remembers the reported grants.
      if (isHostCounting && grant.isLogged) return go({ step: 'renewing', at: grant.at }, { do: 'begin' });
      return deliver(grant, null, at);
    },
  },
  renewing: {
    ...LEAVES,
    // A host may have lost the grant. No second advertisement is required then.
    begun: ({ at }, { intent, at: now }) =>
      deliver({ ...toGrant(intent, at), isRewarded: true, isLogged: true }, null, now),
  },
  opening: {
    ...LEAVES,
    'sheet-opened': () => go({ step: 'queued' }, { do: 'take-turn' }),
    'sheet-missing': (_, { error }) => go({ step: 'over', outcome: 'left' }, { do: 'tell-missing', error }),
  },
  queued: {
    ...LEAVES,
    'turn-came': (_, { providers }) =>
      hasAds(providers)
        ? go({ step: 'asking', providers })
        : go({ step: 'beginning', providers }, { do: 'begin' }),
  },
  asking: {
    ...CAN_LEAVE,
    // Not earlier: cancelling a prompt does not count as a download.
    accepted: ({ providers }) => go({ step: 'beginning', providers }, { do: 'begin' }),
  },
  beginning: {
    ...CAN_LEAVE,
    begun: ({ providers }, { at, intent }) => {
      const grant = toGrant(intent, at);
      // Watched within the last day, possibly on another device.
      if (intent?.is_granted) return deliver(grant, null, at);
      return hasAds(providers) ? load({ grant, providers }) : deliverWithoutAd(grant);
    },
  },
  loading: {
    ...CAN_LEAVE,
    'no-ad': ({ grant }) => deliverWithoutAd(grant),
    'ad-loaded': ({ grant, providers, names }, { provider, notice, needsPress }) => {
      const ad = { provider, notice, rest: names.slice(names.indexOf(provider) + 1) };
      const plan = { grant, providers, ad };
      return needsPress ? go({ ...plan, step: 'ready' }) : show(plan);
    },
  },
  ready: { ...CAN_LEAVE, accepted: (state) => show(state) },
  watching: ENDS,
  'external-ad': { ...ENDS, stuck: (state) => go({ ...state, step: 'stuck' }) },
  stuck: {
    ...ENDS,
    accepted: (state) => closeAd(state, false),
    declined: (state) =>
      go(
        { ...state, step: 'external-ad' },
        { do: 'return-to-ad' },
        { do: 'offer-way-out', afterMs: STUCK_AGAIN_AFTER_MS },
      ),
  },
  closing: { 'ad-ended': endAd, 'page-left': (state) => go({ ...state, hasLeft: true }) },
  dismissed: { ...CAN_LEAVE, accepted: (state) => load(state) },
  requesting: {
    ...CLOSES_SHEET,
    url: (state, { url, certificate }) =>
      go(
        { ...state, step: 'fetching', certificate },
        // The host is informed once.
        { do: 'keep-grant', grant: { ...state.grant, isLogged: state.grant.isRewarded } },
        { do: 'fetch-file', url, notBefore: state.notBefore },
      ),
    behind: (state, { retryAfterMs = SETTLE_MS }) =>
      go(
        {
          ...state,
          step: 'settling',
          refusals: state.refusals + 1,
          sheet: state.sheet === 'unopened' ? 'open' : state.sheet,
        },
        { do: 'settle', grant: state.grant, waitMs: Math.min(retryAfterMs, SETTLE_MS_MAX) },
      ),
  },
  settling: {
    ...CLOSES_SHEET,
    // If the host stays behind, the credit is lost but the file is still delivered.
    settled: (state) =>
      go(
        { ...state, step: 'requesting' },
        { do: 'request-url', grant: state.grant, log: state.refusals < SETTLE_TRIES },
      ),
  },
  fetching: {
    saved: (state) => finish(state),
    unreadable: (state, { url, error }) =>
      go({ ...state, step: 'offering', url }, { do: 'offer-tab', error }),
  },
  offering: { 'tab-accepted': (state) => finish(state, { do: 'open-tab', url: state.url }) },
  over: {},
};

function go(state: DownloadState, ...effects: readonly DownloadEffect[]): Transition {
  return { state, effects };
}

function toGrant(intent: DownloadIntent | null, at: number): DownloadGrant {
  return {
    at,
    isRewarded: false,
    isLogged: false,
    intent: intent?.id ?? null,
    provider: null,
    notice: null,
  };
}

function load({ grant, providers }: Plan, names = providers): Transition {
  return go({ step: 'loading', grant, providers, names }, { do: 'load-ad', names, intent: grant.intent });
}

function show({ grant, providers, ad }: Plan & { readonly ad: Ad }): Transition {
  const plan = { grant, providers, ad };
  if (ad.notice) return go({ ...plan, step: 'watching' }, { do: 'show-ad' });
  return go(
    { ...plan, step: 'external-ad' },
    { do: 'show-ad' },
    { do: 'offer-way-out', afterMs: STUCK_AFTER_MS },
  );
}

function closeAd({ step, ...rest }: Named<AdStep>, hasLeft: boolean): Transition {
  return go({ ...rest, step: 'closing', from: step, hasLeft }, { do: 'close-ad' });
}

function endAd(state: Named<AdStep | 'closing'>, { outcome, at }: Of<'ad-ended'>): Transition {
  const { grant, providers, ad } = state;
  if (outcome === 'granted') {
    const { notice, provider } = ad;
    const earned = { ...grant, isRewarded: true, provider, notice: notice?.id ?? null };
    // Applies even if the page has been left: the grant is earned.
    return deliver(earned, notice, at, { do: 'keep-grant', grant: earned });
  }
  if (state.step === 'closing' && state.hasLeft) return left();
  if (outcome === 'dismissed') return go({ step: 'dismissed', grant, providers });
  return ad.rest.length > 0 ? load({ grant, providers }, ad.rest) : deliverWithoutAd(grant);
}

/** The alert does not delay the file (spec §8). */
function deliverWithoutAd(unrewarded: DownloadGrant): Transition {
  const grant: DownloadGrant = { ...unrewarded, provider: 'none' };
  return deliver(grant, null, grant.at, { do: 'alert-no-ad' }, { do: 'keep-grant', grant });
}

/** `now` is the time of the grant. A grant is logged once (spec §7, `log=true`). */
function deliver(
  grant: DownloadGrant,
  notice: Notice | null,
  now: number,
  ...effects: readonly DownloadEffect[]
): Transition {
  const log = grant.isRewarded && !grant.isLogged;
  const notBefore = log ? now + GRANT_TO_FILE_MS : null;
  return go({ step: 'requesting', grant, notice, notBefore, refusals: 0, sheet: 'unopened' }, ...effects, {
    do: 'request-url',
    grant,
    log,
  });
}

function closeSheet(state: Named<'requesting' | 'settling'>): Transition {
  return go(state.sheet === 'open' ? { ...state, sheet: 'closed' } : state);
}

function finish(state: Named<'fetching' | 'offering'>, ...effects: readonly DownloadEffect[]): Transition {
  const { grant, notice, certificate } = state;
  const drop: readonly DownloadEffect[] = grant.isRewarded ? [] : [{ do: 'drop-grant' }];
  return go({ step: 'over', outcome: 'done' }, ...effects, ...drop, { do: 'follow-up', notice, certificate });
}

function fail({ error, hasGrant, isGone }: Of<'failed'>): Transition {
  const outcome = hasGrant && !isGone ? 'again' : 'left';
  return go({ step: 'over', outcome }, { do: 'tell-failure', error });
}
