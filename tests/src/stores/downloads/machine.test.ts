import { describe, expect, it } from 'vitest';
import type { AdProviderName } from '#contract/downloads/ads.ts';
import type { DownloadGrant } from '#src/stores/downloads/grants.ts';
import { reduce } from '#src/stores/downloads/machine.ts';
import { type DownloadEvent, type DownloadState, isAsking, toView } from '#src/stores/downloads/states.ts';
import { NOTICE } from '../../support/notices.ts';

type Step = DownloadState['step'];
type EventType = DownloadEvent['type'];
type Is<Name extends Step> = DownloadState & { readonly step: Name };

const NOW = 1_000_000;
const UNREPORTED = { isRewarded: false, isLogged: false, provider: null, notice: null };
const GRANT: DownloadGrant = { ...UNREPORTED, at: NOW, intent: 'intent-1' };
const EARNED: DownloadGrant = { ...GRANT, isRewarded: true, provider: 'house', notice: 'spring' };
const LOGGED: DownloadGrant = { ...EARNED, isLogged: true };

const PLAN = { grant: GRANT, providers: ['gpt', 'house'] as const };
const AD = { provider: 'gpt', notice: null, rest: ['house'] } as const;
const DELIVERY = {
  grant: EARNED,
  notice: NOTICE,
  notBefore: NOW + 500,
  refusals: 0,
  sheet: 'unopened',
} as const;

const STATES: { readonly [Name in Step]: Is<Name> } = deepFreeze({
  idle: { step: 'idle' },
  renewing: { step: 'renewing', at: NOW - 5_000 },
  opening: { step: 'opening' },
  queued: { step: 'queued' },
  asking: { step: 'asking', providers: PLAN.providers },
  beginning: { step: 'beginning', providers: PLAN.providers },
  loading: { step: 'loading', ...PLAN, names: PLAN.providers },
  ready: { step: 'ready', ...PLAN, ad: AD },
  watching: { step: 'watching', ...PLAN, ad: { provider: 'house', notice: NOTICE, rest: [] } },
  'external-ad': { step: 'external-ad', ...PLAN, ad: AD },
  stuck: { step: 'stuck', ...PLAN, ad: AD },
  closing: { step: 'closing', ...PLAN, ad: AD, from: 'external-ad', hasLeft: true },
  dismissed: { step: 'dismissed', ...PLAN },
  requesting: { step: 'requesting', ...DELIVERY },
  settling: { step: 'settling', ...DELIVERY, refusals: 1, sheet: 'open' },
  fetching: { step: 'fetching', ...DELIVERY, certificate: 'c7' },
  offering: { step: 'offering', ...DELIVERY, url: 'https://files.test/7.mp3', certificate: 'c7' },
  over: { step: 'over', outcome: 'done' },
});

const EVENTS: { readonly [Type in EventType]: Extract<DownloadEvent, { type: Type }> } = deepFreeze({
  started: { type: 'started', at: NOW, grant: undefined, isHostCounting: true },
  'sheet-opened': { type: 'sheet-opened' },
  'sheet-missing': { type: 'sheet-missing', error: 'offline' },
  'turn-came': { type: 'turn-came', providers: ['house'] },
  accepted: { type: 'accepted' },
  declined: { type: 'declined' },
  begun: { type: 'begun', at: NOW, intent: { id: 'intent-1', is_granted: false } },
  'no-ad': { type: 'no-ad' },
  'ad-loaded': { type: 'ad-loaded', provider: 'gpt', notice: null, needsPress: true },
  stuck: { type: 'stuck' },
  'ad-ended': { type: 'ad-ended', at: NOW, outcome: 'granted' },
  behind: { type: 'behind', retryAfterMs: undefined },
  settled: { type: 'settled' },
  url: { type: 'url', url: '/media/downloads/7', certificate: 'c7' },
  unreadable: { type: 'unreadable', url: 'https://files.test/7.mp3', error: 'CORS' },
  'tab-accepted': { type: 'tab-accepted' },
  saved: { type: 'saved' },
  failed: { type: 'failed', error: 'broken', hasGrant: true, isGone: false },
  'page-left': { type: 'page-left' },
});

/** The target of each event in each state. A pair that is absent here must change nothing. */
const NEXT: { readonly [Name in Step]: Partial<Record<EventType, Step>> } = {
  idle: { started: 'opening', failed: 'over' },
  renewing: { begun: 'requesting', 'page-left': 'over', failed: 'over' },
  opening: { 'sheet-opened': 'queued', 'sheet-missing': 'over', 'page-left': 'over', failed: 'over' },
  queued: { 'turn-came': 'asking', 'page-left': 'over', failed: 'over' },
  asking: { accepted: 'beginning', declined: 'over', 'page-left': 'over', failed: 'over' },
  beginning: { begun: 'loading', declined: 'over', 'page-left': 'over', failed: 'over' },
  loading: {
    'ad-loaded': 'ready',
    'no-ad': 'requesting',
    declined: 'over',
    'page-left': 'over',
    failed: 'over',
  },
  ready: { accepted: 'external-ad', declined: 'over', 'page-left': 'over', failed: 'over' },
  watching: { 'ad-ended': 'requesting', 'page-left': 'closing', failed: 'over' },
  'external-ad': { 'ad-ended': 'requesting', stuck: 'stuck', 'page-left': 'closing', failed: 'over' },
  stuck: {
    'ad-ended': 'requesting',
    accepted: 'closing',
    declined: 'external-ad',
    'page-left': 'closing',
    failed: 'over',
  },
  closing: { 'ad-ended': 'requesting', 'page-left': 'closing', failed: 'over' },
  dismissed: { accepted: 'loading', declined: 'over', 'page-left': 'over', failed: 'over' },
  requesting: { url: 'fetching', behind: 'settling', failed: 'over' },
  settling: { settled: 'requesting', accepted: 'settling', declined: 'settling', failed: 'over' },
  fetching: { saved: 'over', unreadable: 'offering', failed: 'over' },
  offering: { 'tab-accepted': 'over', failed: 'over' },
  over: {},
};

const STEPS = Object.keys(STATES) as Step[];
const TYPES = Object.keys(EVENTS) as EventType[];

/** The effects of a transition, by name. */
const namesOf = ({ effects }: ReturnType<typeof reduce>) => effects.map((effect) => effect.do);

describe('every event in every state', () => {
  const pairs = STEPS.flatMap((step) => TYPES.map((type) => [step, type, NEXT[step][type]] as const));

  it.each(pairs.filter(([, , next]) => next !== undefined))('%s, %s: leads to %s', (step, type, next) => {
    expect(reduce(STATES[step], EVENTS[type]).state.step).toBe(next);
  });

  it.each(pairs.filter(([, , next]) => next === undefined))('%s, %s: changes nothing', (step, type) => {
    const { state, effects } = reduce(STATES[step], EVENTS[type]);
    expect(state).toBe(STATES[step]);
    expect(effects).toEqual([]);
  });
});

describe('the start', () => {
  const start = (grant: DownloadGrant, isHostCounting: boolean) =>
    reduce(STATES.idle, { type: 'started', at: NOW, grant, isHostCounting });

  it('opens the sheet without a grant', () => {
    expect(namesOf(reduce(STATES.idle, EVENTS.started))).toEqual(['open-sheet']);
  });

  it('reports an unreported grant to the host, with the same intent', () => {
    const { state, effects } = start(EARNED, true);
    expect(effects).toEqual([{ do: 'request-url', grant: EARNED, log: true }]);
    expect(state).toMatchObject({ step: 'requesting', notBefore: NOW + 500, notice: null });
  });

  it('creates a new intent for a logged grant where the host counts, and shows nothing', () => {
    const renewing = start(LOGGED, true);
    expect(renewing).toEqual({ state: { step: 'renewing', at: LOGGED.at }, effects: [{ do: 'begin' }] });
    expect([toView(renewing.state), isAsking(renewing.state)]).toEqual([null, false]);
  });

  it('requests the file of a logged grant at once where the host keeps no intents', () => {
    expect(start(LOGGED, false).effects).toEqual([{ do: 'request-url', grant: LOGGED, log: false }]);
  });

  it('does not log a renewed grant again, and keeps its age', () => {
    const { effects } = reduce(STATES.renewing, { ...EVENTS.begun, intent: null });
    const grant = { ...LOGGED, at: NOW - 5_000, intent: null, provider: null, notice: null };
    expect(effects).toEqual([{ do: 'request-url', grant, log: false }]);
  });

  it('logs what is missing when the sheet does not load, and allows another press', () => {
    expect(reduce(STATES.opening, EVENTS['sheet-missing'])).toEqual({
      state: { step: 'over', outcome: 'left' },
      effects: [{ do: 'tell-missing', error: 'offline' }],
    });
  });
});

describe('consent', () => {
  it('is not requested where nothing would be shown', () => {
    for (const providers of [[], ['none']] as const) {
      const turn = reduce(STATES.queued, { type: 'turn-came', providers });
      expect(turn).toEqual({ state: { step: 'beginning', providers }, effects: [{ do: 'begin' }] });
      expect(toView(turn.state)).toBeNull();
      expect(namesOf(reduce(turn.state, EVENTS.begun))).toEqual(['alert-no-ad', 'keep-grant', 'request-url']);
    }
  });

  it('precedes any call to the host about the download', () => {
    expect(reduce(STATES.queued, EVENTS['turn-came']).effects).toEqual([]);
    expect(reduce(STATES.asking, EVENTS.accepted).effects).toEqual([{ do: 'begin' }]);
    expect(reduce(STATES.asking, EVENTS.declined).effects).toEqual([]);
  });
});

describe('the advertisement', () => {
  const end = (step: 'watching' | 'external-ad' | 'stuck' | 'closing', outcome: 'dismissed' | 'failed') =>
    reduce(STATES[step], { ...EVENTS['ad-ended'], outcome });

  it('is loaded with the intent from the host', () => {
    expect(reduce(STATES.beginning, EVENTS.begun).effects).toEqual([
      { do: 'load-ad', names: ['gpt', 'house'], intent: 'intent-1' },
    ]);
  });

  it('is skipped when the host has granted the sound before; nothing is logged', () => {
    const event = { ...EVENTS.begun, intent: { id: 'intent-1', is_granted: true } };
    expect(reduce(STATES.beginning, event).effects).toEqual([
      { do: 'request-url', grant: GRANT, log: false },
    ]);
  });

  it('of a network is shown in the press that it needs, and can be closed after three minutes', () => {
    const effects = [{ do: 'show-ad' }, { do: 'offer-way-out', afterMs: 180_000 }];
    expect(reduce(STATES.ready, EVENTS.accepted).effects).toEqual(effects);
    const atOnce = reduce(STATES.loading, { ...EVENTS['ad-loaded'], needsPress: false });
    expect([atOnce.state.step, atOnce.effects]).toEqual(['external-ad', effects]);
    expect(namesOf(reduce(STATES.loading, EVENTS['ad-loaded']))).toEqual([]);
  });

  it('of the operator is shown at once and asks on its own', () => {
    const event = { type: 'ad-loaded', provider: 'house', notice: NOTICE, needsPress: false } as const;
    const { state, effects } = reduce(STATES.loading, event);
    expect([state.step, effects]).toEqual(['watching', [{ do: 'show-ad' }]]);
  });

  it('that was granted earns the file, half a second later, and is stored before the host is asked', () => {
    const { state, effects } = reduce(STATES.watching, EVENTS['ad-ended']);
    expect(effects).toEqual([
      { do: 'keep-grant', grant: EARNED },
      { do: 'request-url', grant: EARNED, log: true },
    ]);
    expect(state).toMatchObject({ step: 'requesting', notice: NOTICE, notBefore: NOW + 500 });
  });

  it('that was dismissed can be retried with every provider', () => {
    for (const step of ['watching', 'external-ad', 'stuck'] as const) {
      expect(end(step, 'dismissed')).toEqual({ state: STATES.dismissed, effects: [] });
    }
    expect(reduce(STATES.dismissed, EVENTS.accepted).effects).toEqual([
      { do: 'load-ad', names: ['gpt', 'house'], intent: 'intent-1' },
    ]);
  });

  it('that failed is followed by the next provider, and by the file when there is none', () => {
    const { state, effects } = end('external-ad', 'failed');
    expect(state).toEqual({ ...STATES.loading, names: ['house'] });
    expect(effects).toEqual([{ do: 'load-ad', names: ['house'], intent: 'intent-1' }]);
    expect(namesOf(end('watching', 'failed'))).toEqual(['alert-no-ad', 'keep-grant', 'request-url']);
  });

  it('ends, even when the operator lists a name twice', () => {
    let state: DownloadState = { ...STATES.loading, names: ['gpt', 'house', 'gpt'] };
    const tried: string[] = [];
    while (state.step === 'loading' && tried.length < 10) {
      const provider: AdProviderName = state.names[0]!;
      tried.push(provider);
      state = reduce(state, { ...EVENTS['ad-loaded'], provider, needsPress: false }).state;
      state = reduce(state, { ...EVENTS['ad-ended'], outcome: 'failed' }).state;
    }
    expect(tried).toEqual(['gpt', 'house', 'gpt']);
  });

  it('that is missing costs nothing: the alert, then the file, unlogged', () => {
    const grant = { ...GRANT, provider: 'none' };
    expect(reduce(STATES.loading, EVENTS['no-ad']).effects).toEqual([
      { do: 'alert-no-ad' },
      { do: 'keep-grant', grant },
      { do: 'request-url', grant, log: false },
    ]);
  });

  it('that is stuck is closed on request, or shown on with the same offer after a minute', () => {
    expect(reduce(STATES.stuck, EVENTS.accepted)).toEqual({
      state: { ...STATES.closing, from: 'stuck', hasLeft: false },
      effects: [{ do: 'close-ad' }],
    });
    expect(reduce(STATES.stuck, EVENTS.declined).effects).toEqual([
      { do: 'return-to-ad' },
      { do: 'offer-way-out', afterMs: 60_000 },
    ]);
  });

  it('that is closing on request leads to the question; by leaving the page, to the end', () => {
    const asked = { ...STATES.closing, hasLeft: false };
    expect(reduce(asked, { ...EVENTS['ad-ended'], outcome: 'dismissed' }).state).toEqual(STATES.dismissed);
    for (const outcome of ['dismissed', 'failed'] as const) {
      expect(end('closing', outcome).state).toEqual({ step: 'over', outcome: 'left' });
    }
    expect(reduce(asked, EVENTS['page-left']).state).toEqual(STATES.closing);
  });

  it('that was granted before the page was left has earned the file', () => {
    expect(namesOf(reduce(STATES.closing, EVENTS['ad-ended']))).toEqual(['keep-grant', 'request-url']);
  });
});

describe('the file', () => {
  it('is fetched once the host has given its URL, and is reported to the host once', () => {
    expect(reduce(STATES.requesting, EVENTS.url).effects).toEqual([
      { do: 'keep-grant', grant: LOGGED },
      { do: 'fetch-file', url: '/media/downloads/7', notBefore: NOW + 500 },
    ]);
    const unrewarded = reduce({ ...STATES.requesting, grant: GRANT, notBefore: null }, EVENTS.url);
    expect(unrewarded.effects).toEqual([
      { do: 'keep-grant', grant: GRANT },
      { do: 'fetch-file', url: '/media/downloads/7', notBefore: null },
    ]);
  });

  it('is followed by the credit; an unearned grant is dropped', () => {
    expect(reduce(STATES.fetching, EVENTS.saved)).toEqual({
      state: { step: 'over', outcome: 'done' },
      effects: [{ do: 'follow-up', notice: NOTICE, certificate: 'c7' }],
    });
    const unrewarded = { ...STATES.fetching, grant: GRANT, notice: null };
    expect(namesOf(reduce(unrewarded, EVENTS.saved))).toEqual(['drop-grant', 'follow-up']);
  });

  it('that the page may not read is offered in a tab', () => {
    expect(reduce(STATES.fetching, EVENTS.unreadable).effects).toEqual([{ do: 'offer-tab', error: 'CORS' }]);
    expect(reduce(STATES.offering, EVENTS['tab-accepted'])).toEqual({
      state: { step: 'over', outcome: 'done' },
      effects: [
        { do: 'open-tab', url: 'https://files.test/7.mp3' },
        { do: 'follow-up', notice: NOTICE, certificate: 'c7' },
      ],
    });
  });

  it.each([
    [{ hasGrant: true, isGone: false }, 'again'],
    [{ hasGrant: true, isGone: true }, 'left'],
    [{ hasGrant: false, isGone: false }, 'left'],
  ])('that failed with %o leaves the button at %s', (changes, outcome) => {
    expect(reduce(STATES.fetching, { ...EVENTS.failed, ...changes })).toEqual({
      state: { step: 'over', outcome },
      effects: [{ do: 'tell-failure', error: 'broken' }],
    });
  });
});

describe('a host with too little viewing time', () => {
  it.each([
    [undefined, 2_000],
    [3_000, 3_000],
    [3_600_000, 5_000],
  ])('is asked again: told %s ms, after %d ms', (retryAfterMs, waitMs) => {
    expect(reduce(STATES.requesting, { type: 'behind', retryAfterMs }).effects).toEqual([
      { do: 'settle', grant: EARNED, waitMs },
    ]);
  });

  it('is asked five times with the reward, then without', () => {
    let state: DownloadState = STATES.requesting;
    const logs: unknown[] = [];
    for (let tries = 0; tries < 5; tries += 1) {
      const settled = reduce(reduce(state, EVENTS.behind).state, EVENTS.settled);
      logs.push(...settled.effects);
      ({ state } = settled);
    }
    expect(logs).toMatchObject([true, true, true, true, false].map((log) => ({ do: 'request-url', log })));
  });

  it('keeps an open sheet open across attempts and a closed one closed', () => {
    const open = reduce(STATES.requesting, EVENTS.behind).state;
    expect(toView(open)).toBe('settling');
    expect(toView(reduce(open, EVENTS.settled).state)).toBe('settling');
    for (const answer of [EVENTS.accepted, EVENTS.declined]) {
      const closed = reduce(open, answer).state;
      expect([closed.step, toView(closed)]).toEqual(['settling', 'fetching']);
      const again = reduce(reduce(closed, EVENTS.settled).state, EVENTS.behind).state;
      expect(toView(again)).toBe('fetching');
    }
    const requesting = reduce(open, EVENTS.settled).state;
    expect(toView(reduce(requesting, EVENTS.declined).state)).toBe('fetching');
  });
});

describe('the view', () => {
  it.each<[Step, string | null, boolean]>([
    ['idle', null, false],
    ['renewing', null, false],
    ['opening', null, false],
    ['queued', null, false],
    ['asking', 'asking', true],
    ['beginning', 'preparing', true],
    ['loading', 'preparing', true],
    ['ready', 'ready', true],
    ['watching', 'watching', true],
    ['external-ad', 'external-ad', true],
    ['stuck', 'stuck', true],
    ['closing', 'external-ad', true],
    ['dismissed', 'dismissed', true],
    ['requesting', 'fetching', false],
    ['settling', 'settling', false],
    ['fetching', 'fetching', false],
    ['offering', 'fetching', false],
    ['over', null, false],
  ])('in %s is %s; it has the turn: %s', (step, view, hasTurn) => {
    expect([toView(STATES[step]), isAsking(STATES[step])]).toEqual([view, hasTurn]);
  });
});

/** Makes a reducer that writes into its arguments throw. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
