import { systemClock } from '../../lib/clock.ts';
import { createDeferred } from '../../browser/deferred.ts';
import { withLock } from '../../browser/locks.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { showToast } from '../overlays/overlays.ts';
import { createAdStage } from './ad.ts';
import { type DownloadScreen, type Run, perform } from './effects.ts';
import { findGrant } from './grants.ts';
import { reduce } from './machine.ts';
import type { DownloadEvent, DownloadOutcome, DownloadState, DownloadedSound } from './states.ts';
import { isAsking, isDelivering, toView } from './states.ts';

const clock = systemClock;
/** The download whose view is in `$download`. */
let current: Run | null = null;
/** Downloads show prompts one after the other; otherwise two prompts would answer for each other. */
let prompting: Run | null = null;
let lastPrompt = Promise.resolve();
let endPrompt = () => {};

/** Sends the user's answer to the download on the screen. */
export function answer(isYes: boolean): void {
  current?.send({ type: isYes ? 'accepted' : 'declined' });
}

/** Runs a download from the press to the file (spec §2, §4, §7, §8). One at a time per sound, across all tabs. */
export async function runDownload(sound: DownloadedSound, screen: DownloadScreen): Promise<DownloadOutcome> {
  const outcome = await withLock(`download:${sound.id}`, { ifAvailable: true }, (lock) =>
    lock === null ? null : run(sound, screen),
  );
  if (outcome === null) showToast('blank', 'このサウンドは、別のタブでダウンロード中です。');
  return outcome ?? 'left';
}

/** Runs the state machine: each event gives a state, which is shown, and effects, which are run. */
function run(sound: DownloadedSound, screen: DownloadScreen): Promise<DownloadOutcome> {
  const over = new AbortController();
  const { signal } = over;
  const { promise, resolve } = createDeferred<DownloadOutcome>();
  let state: DownloadState = { step: 'idle' };
  const ad = createAdStage({ soundId: sound.id, clock, signal, send });
  const self: Run = { sound, screen, ad, clock, signal, send, waitForPrompt: () => waitForPrompt(self) };

  function send(event: DownloadEvent): void {
    const { state: next, effects } = reduce(state, event);
    state = next;
    show(self, state);
    for (const effect of effects) void perform(self, effect);
    if (state.step !== 'over') return;
    over.abort();
    resolve(state.outcome);
  }

  document.addEventListener('astro:before-swap', () => send({ type: 'page-left' }), { signal });
  // The router keeps this page's scripts, unless it leaves a navigation to the browser (src/ads/boundary.ts).
  const askBeforeLoad = (event: Event) => isDelivering(state) && event.preventDefault();
  window.addEventListener('beforeunload', askBeforeLoad, { signal });
  const isHostCounting = isExtended();
  send({ type: 'started', at: clock.now(), grant: findGrant(sound.id), isHostCounting });
  return promise;
}

/** Never replaces the prompt of another download. */
function show(self: Run, state: DownloadState): void {
  if (prompting === self && !isAsking(state)) {
    prompting = null;
    endPrompt();
  }
  if (prompting !== null && prompting !== self) return;
  const { $download } = self.screen;
  const view = toView(state);
  if (view !== null) {
    current = self;
    $download.set({ state: view, sound: self.sound });
  } else if (current === self) {
    current = null;
    $download.set(null);
  }
}

/** Waits for the prompts of other downloads. The turn ends with the own ones, or with the download. */
async function waitForPrompt(self: Run): Promise<void> {
  const before = lastPrompt;
  const { promise, resolve } = createDeferred<void>();
  lastPrompt = promise;
  await before;
  if (self.signal.aborted) return resolve();
  prompting = self;
  endPrompt = resolve;
}
