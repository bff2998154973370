import { ApiError } from '../../../contract/calls/errors.ts';
import type { SoundFindings } from '../../../contract/sounds/sound-findings.ts';
import { type Sound, getSound } from '../../../contract/sounds/sounds.ts';
import { sleep, systemClock } from '../../lib/clock.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { showMeasured } from './editor.ts';
import { refreshSounds } from './list.ts';

/** Progress of the measurement of a sound. */
export type Measuring =
  /** The host does not measure. */
  | { readonly state: 'none' }
  | { readonly state: 'under-way' }
  /** Takes longer than users wait in front of a dialog. */
  | { readonly state: 'late' }
  /** Not available: the file could not be decoded, or was not uploaded to this host. */
  | { readonly state: 'impossible' }
  | { readonly state: 'done'; readonly findings: SoundFindings; readonly peaks: string | undefined };

export const $measuring = memberAtom<Measuring>({ state: 'none' });

/** When the host is asked again: an hour of sound takes half a minute, and others may be queued before it. */
const ASK_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 60_000];
/** Measurements not done by then have been given up. */
const MEASURED_WITHIN_MS = 24 * 60 * 60 * 1000;

/** Follows a sound's measuring until the returned function is called. Never throws. */
export function followMeasuring(sound: Sound): () => void {
  const first = toMeasuring(sound, Date.now());
  $measuring.set(first);
  const stopping = new AbortController();
  if (first.state === 'under-way') void ask(sound.id, stopping.signal);
  return () => stopping.abort();
}

export function toMeasuring({ findings, peaks, created_at }: Sound, nowMs: number): Measuring {
  if (findings !== undefined) return { state: 'done', findings, peaks };
  // Progress needs a host with a call for a single sound.
  if (created_at === undefined || !isExtended()) return { state: 'none' };
  const isOld = !(nowMs - Date.parse(created_at) < MEASURED_WITHIN_MS);
  return { state: isOld ? 'impossible' : 'under-way' };
}

async function ask(id: string, signal: AbortSignal): Promise<void> {
  for (const afterMs of ASK_AFTER_MS) {
    await sleep(systemClock, afterMs, signal);
    if (signal.aborted) return;
    // The tab is hidden.
    if (document.hidden) continue;
    try {
      const sound = await callApi(getSound, { params: { id }, signal });
      if (signal.aborted) return;
      const { findings, peaks } = sound;
      if (findings === undefined) continue;
      $measuring.set({ state: 'done', findings, peaks });
      // Its rows get the estimates.
      showMeasured(sound);
      // Its card gets the waveform and the hints beside it.
      refreshSounds();
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) break;
    }
  }
  $measuring.set({ state: 'late' });
}
