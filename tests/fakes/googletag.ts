/// <reference types="google-publisher-tag" />

/** The behaviour of the tag once a rewarded ad is requested. */
export type GptScenario =
  | 'granted'
  | 'payload-null'
  | 'granted-twice'
  | 'granted-after-close'
  | 'granted-too-late'
  | 'granted-never-closed'
  | 'granted-after-minutes'
  | 'granted-unseen'
  | 'dismissed'
  | 'close-twice'
  | 'video-completed-only'
  | 'never-ends'
  | 'no-fill'
  | 'consent-denied'
  | 'slow-ready'
  | 'never-ready'
  | 'unsupported'
  | 'show-returns-false'
  | 'show-throws'
  | 'define-throws'
  | 'foreign-slot-events'
  | 'display-sync-event'
  | 'ubo-stub';

/** The recorded calls, in order, and what remains afterwards. */
export interface GptRecord {
  readonly calls: string[];
  readonly privacy: googletag.PrivacySettingsConfig[];
  readonly config: googletag.config.PageSettingsConfig[];
  /** Remaining listeners. */
  listeners: number;
  /** Remaining slots. */
  slots: number;
}

declare global {
  interface Window {
    gptRecord?: GptRecord;
  }
}

/**
 * Replaces gpt.js: takes over the queue at `window.googletag` and plays a scenario, a reward after half a
 * second and the end after one second. Its API has the types of `@types/google-publisher-tag`, so the
 * compiler checks its shape. Its source also runs in a browser, so it must not reference anything outside itself.
 */
export function installGoogletag(scenario: GptScenario): GptRecord {
  type Events = googletag.events.EventTypeMap;
  type Listener = (event: never) => void;
  const record: GptRecord = { calls: [], privacy: [], config: [], listeners: 0, slots: 0 };
  const listeners: { type: keyof Events; listener: Listener }[] = [];
  const page = window as unknown as {
    googletag?: { cmd?: (() => void)[]; apiReady?: boolean };
    gptRecord?: GptRecord;
  };
  page.gptRecord = record;
  const before = page.googletag?.cmd ?? [];
  const base = page.googletag ?? {};

  const cmd: googletag.CommandArray = {
    push(...commands) {
      for (const command of commands) {
        try {
          command.call(globalThis);
        } catch (error) {
          record.calls.push(`threw ${String(error)}`);
        }
      }
      return commands.length;
    },
  };

  if (scenario === 'ubo-stub') {
    // uBlock Origin's stub: every call does nothing, there are no formats, and the version is empty.
    const nothing = () => undefined;
    const stub = { addEventListener: nothing, setPrivacySettings: nothing, removeEventListener: nothing };
    Object.assign(base, {
      apiReady: true,
      pubadsReady: true,
      cmd,
      getVersion: () => '',
      pubads: () => stub,
      defineOutOfPageSlot: () => ({ addService: nothing }),
      destroySlots: nothing,
      enableServices: nothing,
      display: nothing,
    });
    page.googletag = base;
    for (const command of before) cmd.push(command);
    return record;
  }

  function makeSlot(adUnit: string): googletag.Slot {
    const slot: Pick<googletag.Slot, 'addService' | 'getAdUnitPath' | 'getSlotElementId'> = {
      addService() {
        record.calls.push('addService');
        return slot as googletag.Slot;
      },
      getAdUnitPath: () => adUnit,
      getSlotElementId: () => `gpt_unit_${adUnit}`,
    };
    return slot as googletag.Slot;
  }

  const pubads: Pick<
    googletag.PubAdsService,
    'addEventListener' | 'removeEventListener' | 'setPrivacySettings'
  > = {
    addEventListener(type, listener) {
      record.calls.push(`listen ${type}`);
      listeners.push({ type, listener });
      record.listeners = listeners.length;
      return pubads as googletag.PubAdsService;
    },
    removeEventListener(type, listener) {
      const index = listeners.findIndex((one) => one.type === type && one.listener === listener);
      if (index !== -1) listeners.splice(index, 1);
      record.listeners = listeners.length;
    },
    setPrivacySettings(settings) {
      record.calls.push('setPrivacySettings');
      record.privacy.push(settings);
      return pubads as googletag.PubAdsService;
    },
  };

  function emit<Type extends keyof Events>(
    type: Type,
    slot: googletag.Slot,
    rest: Omit<Events[Type], keyof googletag.events.Event>,
  ): void {
    const event = { slot, serviceName: 'publisher_ads', ...rest } as Events[Type];
    for (const one of listeners.slice()) if (one.type === type) one.listener(event as never);
  }

  const rendered = (slot: googletag.Slot, isEmpty: boolean) =>
    emit('slotRenderEnded', slot, { isEmpty } as Events['slotRenderEnded']);
  const grant = (slot: googletag.Slot) =>
    emit('rewardedSlotGranted', slot, {
      payload: scenario === 'payload-null' ? null : { type: 'download', amount: 1 },
    });

  function play(slot: googletag.Slot): void {
    const overlay = document.getElementById('fake-ad');
    if (overlay) overlay.style.display = 'block';
    const at = (ms: number, act: () => void) => setTimeout(act, ms);
    const close = () => {
      overlay?.remove();
      emit('rewardedSlotClosed', slot, {});
    };
    if (scenario === 'video-completed-only') at(500, () => emit('rewardedSlotVideoCompleted', slot, {}));
    const isGrantedInTime =
      !/dismissed|close-twice|after-close|too-late|after-minutes|unseen|completed-only|never-ends/.test(
        scenario,
      );
    if (isGrantedInTime) at(500, () => grant(slot));
    if (scenario === 'granted-twice') at(600, () => grant(slot));
    if (scenario === 'granted-after-minutes') at(240_000, () => grant(slot));
    if (!/never-closed|after-minutes|never-ends/.test(scenario)) at(1_000, close);
    if (scenario === 'close-twice') at(1_100, close);
    if (scenario === 'granted-after-close') at(2_000, () => grant(slot));
    if (scenario === 'granted-too-late') at(4_000, () => grant(slot));
  }

  /** Like the real tag: a frame over the whole page, which exists before it is visible. */
  function addFrame(): void {
    document.getElementById('fake-ad')?.remove();
    const overlay = document.createElement('ins');
    overlay.id = 'fake-ad';
    Object.assign(overlay.style, { display: 'none', position: 'fixed', inset: '0', zIndex: '2147483647' });
    const frame = overlay.appendChild(document.createElement('iframe'));
    frame.title = '3rd party ad content';
    frame.srcdoc = '<button>close</button>';
    Object.assign(frame.style, { width: '100%', height: '100%', border: '0', background: '#ccc' });
    document.body.append(overlay);
  }

  function ready(slot: googletag.Slot): void {
    // A destroyed slot adds nothing to the page.
    if (record.slots > 0) addFrame();
    rendered(slot, false);
    emit('rewardedSlotReady', slot, {
      makeRewardedVisible() {
        record.calls.push('makeRewardedVisible');
        if (scenario === 'show-throws') throw new Error('not now');
        if (scenario === 'show-returns-false') return false;
        play(slot);
        return true;
      },
    });
  }

  function answer(slot: googletag.Slot): void {
    // Without the consent that a banner would have requested, no ad is available.
    if (/no-fill|consent-denied/.test(scenario)) rendered(slot, true);
    else if (scenario === 'foreign-slot-events') {
      // Another slot of the page, unrelated to the download.
      const foreign = makeSlot('/1/other');
      rendered(foreign, true);
      ready(foreign);
      grant(foreign);
      emit('rewardedSlotClosed', foreign, {});
    } else {
      if (scenario === 'granted-unseen') grant(slot);
      ready(slot);
    }
  }

  type Used =
    | 'cmd'
    | 'getVersion'
    | 'defineOutOfPageSlot'
    | 'enableServices'
    | 'display'
    | 'destroySlots'
    | 'setConfig'
    | 'apiReady';
  const tag: Pick<typeof googletag, Used> & {
    pubads(): typeof pubads;
    enums: { OutOfPageFormat: { REWARDED: googletag.enums.OutOfPageFormat.REWARDED } };
  } = {
    apiReady: true,
    cmd,
    // The numbers of the real tag. The types define none.
    enums: { OutOfPageFormat: { REWARDED: 4 as googletag.enums.OutOfPageFormat.REWARDED } },
    getVersion: () => '2026112101',
    pubads: () => pubads,
    setConfig(config) {
      record.calls.push('setConfig');
      record.config.push(config);
    },
    defineOutOfPageSlot(adUnit, format) {
      record.calls.push(`defineOutOfPageSlot ${adUnit} ${String(format)}`);
      if (scenario === 'define-throws') throw new Error('not today');
      if (scenario === 'unsupported') return null;
      record.slots += 1;
      return makeSlot(adUnit);
    },
    enableServices: () => void record.calls.push('enableServices'),
    display(slot) {
      record.calls.push('display');
      if (typeof slot === 'string' || slot instanceof Element) throw new TypeError('a slot is expected');
      if (scenario === 'display-sync-event') answer(slot);
      else if (scenario === 'slow-ready') setTimeout(() => answer(slot), 30_000);
      else if (scenario !== 'never-ready') setTimeout(() => answer(slot), 200);
    },
    destroySlots(slots) {
      record.calls.push('destroySlots');
      record.slots -= slots?.length ?? record.slots;
      document.getElementById('fake-ad')?.remove();
      return true;
    },
  };
  if (scenario === 'consent-denied') {
    // The interface of a consent banner (TCF), which only the tag reads.
    Reflect.set(window, '__tcfapi', () => record.calls.push('tcfapi'));
  }
  page.googletag = Object.assign(base, tag as object);
  for (const command of before) cmd.push(command);
  return record;
}

/** The fake as the response body of gpt.js. */
export function toGoogletagScript(scenario: GptScenario): string {
  return `(${installGoogletag.toString()})(${JSON.stringify(scenario)});`;
}
