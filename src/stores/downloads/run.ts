import { systemClock } from '../../ads/clock.ts';
import { openPromise } from '../../ads/open-promise.ts';
import { hasCapability } from '../../lib/capabilities.ts';
import { showToast } from '../overlays/overlays.ts';
import { createAdStage } from './ad.ts';
import { type DownloadScreen, type Run, perform } from './effects.ts';
import { findGrant } from './grants.ts';
import { reduce } from './machine.ts';
import type { DownloadEvent, DownloadOutcome, DownloadState, DownloadedSound } from './states.ts';
import { isAsking, toView } from './states.ts';

const clock = systemClock;
/** Whose view is in `$download`. */
let shown: Run | null = null;
/** Who may show prompts: one download after the other, or two prompts would answer for each other. */
let asker: Run | null = null;
let lastTurn = Promise.resolve();
let endTurn = () => {};

/** Sends the person's answer to the download on the screen. */
export function answer(isYes: boolean): void {
  shown?.send({ type: isYes ? 'accepted' : 'declined' });
}

/**
 * The whole of a download, from the press to the file (spec §2, §4, §7, §8). One at a time for each
 * sound, in all tabs.
 */
export async function runDownload(sound: DownloadedSound, screen: DownloadScreen): Promise<DownloadOutcome> {
  const outcome = await withDownloadLock(sound.id, () => run(sound, screen));
  if (outcome === null) showToast('blank', 'このサウンドは、別のタブでダウンロード中です。');
  return outcome ?? 'left';
}

/** What `work` comes to; null: another tab downloads the sound. Without locks, other tabs are not seen. */
async function withDownloadLock<Value>(id: string, work: () => Promise<Value>): Promise<Value | null> {
  // Only secure contexts have them.
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work();
  let isAnswered = false;
  try {
    return await locks.request(`download:${id}`, { ifAvailable: true }, (lock): Promise<Value | null> => {
      isAnswered = true;
      return lock ? work() : Promise.resolve(null);
    });
  } catch (error) {
    if (isAnswered) throw error;
    // Where storage is forbidden, so are locks.
    return work();
  }
}

/** Runs the machine: each event gives a state, which is shown, and effects, which are performed. */
function run(sound: DownloadedSound, screen: DownloadScreen): Promise<DownloadOutcome> {
  const over = new AbortController();
  const { signal } = over;
  const { promise, resolve } = openPromise<DownloadOutcome>();
  let state: DownloadState = { step: 'idle' };
  const ad = createAdStage({ soundId: sound.id, clock, signal, send });
  const self: Run = { sound, screen, ad, clock, signal, send, takeTurn: () => takeTurn(self) };

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
  const isHostCounting = hasCapability('download-intents');
  send({ type: 'started', at: clock.now(), kept: findGrant(sound.id), isHostCounting });
  return promise;
}

/** Never in place of what another download asks. */
function show(self: Run, state: DownloadState): void {
  if (asker === self && !isAsking(state)) {
    asker = null;
    endTurn();
  }
  if (asker !== null && asker !== self) return;
  const { $download } = self.screen;
  const view = toView(state);
  if (view !== null) {
    shown = self;
    $download.set({ state: view, sound: self.sound });
  } else if (shown === self) {
    shown = null;
    $download.set(null);
  }
}

/** Waits until no other download asks. The turn ends with the prompts; it is passed on when the download is over. */
async function takeTurn(self: Run): Promise<void> {
  const before = lastTurn;
  const { promise, resolve } = openPromise<void>();
  lastTurn = promise;
  await before;
  if (self.signal.aborted) return resolve();
  asker = self;
  endTurn = resolve;
}
