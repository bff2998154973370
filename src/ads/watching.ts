import { type ReadableAtom, atom } from 'nanostores';
import type { Notice } from '../../contract/downloads/ads.ts';
import { createDeferred } from '../browser/deferred.ts';
import type { Clock } from '../lib/clock.ts';
import type { AdOutcome } from './provider.ts';
import { within } from './signals.ts';

/** `paused`: the tab is hidden. `asking`: the user is asked whether to give the download up. */
export type WatchState = 'opening' | 'running' | 'paused' | 'asking' | 'over';

export interface WatchView {
  readonly notice: Notice;
  readonly state: WatchState;
  readonly leftMs: number;
  readonly totalMs: number;
  /** Announcements for screen readers: rare, so that they can be followed. */
  readonly announcement: string;
  readonly isAudible: boolean;
}

/** The time watched by our host's clock; null if the host does not count. */
export type ReportWatching = (
  state: 'begin' | 'rest' | 'end',
) => Promise<{ watched_ms: number; needed_ms: number } | null>;

export interface WatchOptions {
  readonly notice: Notice;
  readonly clock: Clock;
  readonly report: ReportWatching;
}

/** Watching of one notice: how long it has been visible, and how it ends. */
export interface Watch {
  readonly $view: ReadableAtom<WatchView>;
  readonly outcome: Promise<AdOutcome>;
  /** The notice is visible: time counts from here. */
  begin(): void;
  /** Nothing can be shown. */
  fail(): void;
  /** Asks whether to give the download up; the time is paused. */
  ask(): void;
  resume(): void;
  giveUp(): void;
  setAudible(isAudible: boolean): void;
  dispose(): void;
}

const TICK_MS = 250;
/** Maximum that one tick adds: time in which the computer slept does not count. */
const TICK_MS_MAX = 1_000;
const OPENING_MS_MAX = 10_000;
const LAST_SECONDS = 5;
/** Longest gap between reports that our host counts as watched. */
const REPORT_EVERY_MS = 10_000;
/** Allowance for the travel time of reports: our host tolerates one second. */
const REPORT_SLACK_MS = 800;
/** How long the host may take to answer with its count. */
const ANSWER_MS_MAX = 5_000;
/** Limit for a host that keeps asking for more time. */
const EXTENSIONS_MAX = 3;

/** Counts while the notice is visible, and settles once. */
export function startWatch({ notice, clock, report }: WatchOptions): Watch {
  const totalMs = notice.seconds * 1000;
  let leftMs = totalMs;
  let lastTickAt = 0;
  let lastReportAt = 0;
  let extensions = 0;
  /** How often the end has been reached; an answer to an earlier end is ignored. */
  let ends = 0;
  let isBegun = false;
  let isAsking = false;
  let reports: Promise<unknown> = Promise.resolve();
  let stopTicking = () => {};
  const { promise: outcome, resolve } = createDeferred<AdOutcome>();
  const $view = atom<WatchView>({
    notice,
    state: 'opening',
    leftMs,
    totalMs,
    announcement: '',
    isAudible: false,
  });
  const setView = (changes: Partial<WatchView>) => $view.set({ ...$view.get(), ...changes });

  /** Reports are sent one at a time, in order; a host that does not answer does not cost the file. */
  function sendReport(state: 'begin' | 'rest' | 'end') {
    lastReportAt = clock.now();
    const sent = reports.then(() => report(state)).catch(() => null);
    reports = sent;
    return sent;
  }

  function settle(how: AdOutcome): void {
    if ($view.get().state === 'over') return;
    stopTicking();
    document.removeEventListener('visibilitychange', updateState);
    setView({ state: 'over', isAudible: false });
    resolve(how);
  }

  function toState(): WatchState {
    if (!isBegun) return 'opening';
    if (isAsking) return 'asking';
    return document.visibilityState === 'hidden' ? 'paused' : 'running';
  }

  /** Starts or pauses the clock according to the current state. */
  function updateState(): void {
    const before = $view.get().state;
    const state = toState();
    if (before === 'over' || before === state) return;
    if (before === 'running') {
      count();
      stopTicking();
      void sendReport('rest');
    }
    setView({ state });
    if (state !== 'running') return;
    lastTickAt = clock.now();
    void sendReport('begin');
    awaitTick();
  }

  function awaitTick(): void {
    stopTicking = clock.after(Math.min(TICK_MS, Math.max(leftMs, 1)), tick);
  }

  function count(): void {
    const now = clock.now();
    leftMs = Math.max(0, leftMs - Math.min(Math.max(now - lastTickAt, 0), TICK_MS_MAX));
    lastTickAt = now;
  }

  function tick(): void {
    const before = leftMs;
    count();
    setView({ leftMs, ...toAnnouncement(before, leftMs, totalMs) });
    if (leftMs <= 0) return void finish();
    if (clock.now() - lastReportAt >= REPORT_EVERY_MS) void sendReport('begin');
    awaitTick();
  }

  /** The host's clock decides: time that it has not counted must still be watched. */
  async function finish(): Promise<void> {
    ends += 1;
    const end = ends;
    const counted = await within({ clock, ms: ANSWER_MS_MAX }, () => sendReport('end'));
    const missingMs = counted ? counted.needed_ms - counted.watched_ms : 0;
    // Closed or hidden while the host was asked.
    if (end !== ends || $view.get().state !== 'running') return;
    if (missingMs <= REPORT_SLACK_MS || extensions >= EXTENSIONS_MAX) return settle('granted');
    extensions += 1;
    leftMs = Math.min(missingMs, totalMs);
    lastTickAt = clock.now();
    setView({ leftMs });
    void sendReport('begin');
    awaitTick();
  }

  document.addEventListener('visibilitychange', updateState);
  stopTicking = clock.after(OPENING_MS_MAX, () => settle('failed'));

  return {
    $view,
    outcome,
    begin() {
      if (isBegun || $view.get().state === 'over') return;
      isBegun = true;
      stopTicking();
      setView({ announcement: `広告が始まりました。あと${notice.seconds}秒でダウンロードが始まります。` });
      updateState();
    },
    fail: () => settle('failed'),
    ask() {
      isAsking = isBegun;
      // Nothing has been shown that could be given up.
      if (isBegun) updateState();
      else settle('dismissed');
    },
    resume() {
      isAsking = false;
      updateState();
    },
    giveUp: () => settle('dismissed'),
    setAudible: (isAudible) => setView({ isAudible }),
    dispose: () => settle('dismissed'),
  };
}

/** Half of the time, and the last seconds. */
function toAnnouncement(beforeMs: number, leftMs: number, totalMs: number): Partial<WatchView> {
  const passes = (ms: number) => beforeMs > ms && leftMs <= ms;
  const lastMs = LAST_SECONDS * 1000;
  const isNear = passes(totalMs / 2) || (totalMs > lastMs && passes(lastMs));
  return isNear && leftMs > 0 ? { announcement: `残り${Math.ceil(leftMs / 1000)}秒です。` } : {};
}
