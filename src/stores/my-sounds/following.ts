import type { Sound } from '../../../contract/sounds/sounds.ts';
import { toMeasuring } from './findings.ts';
import { FAVORITES_TAB, mySounds, refreshSounds } from './list.ts';

/** When a list with unfinished measurements is read again; starts over when the list changes. */
const READ_AFTER_MS = [2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000];

/**
 * Reads a type's list again, at growing intervals and a limited number of times, until the waveforms of new sounds are
 * in it. Favourites are not read: other artists' sounds carry no progress, and a card just removed must keep its undo
 * button. Returns the function that stops it.
 */
export function followNewSounds(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitingFor = '';
  let tries = 0;

  const stop = mySounds.$list.subscribe(({ query, items, pending }) => {
    clearTimeout(timer);
    const unmeasured = query?.tab === FAVORITES_TAB ? '' : listUnmeasured(items);
    if (unmeasured !== waitingFor) tries = 0;
    waitingFor = unmeasured;
    const afterMs = READ_AFTER_MS[tries];
    if (unmeasured === '' || pending !== null || afterMs === undefined) return;
    timer = setTimeout(() => {
      tries += 1;
      refreshSounds();
    }, afterMs);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

function listUnmeasured(sounds: readonly Sound[]): string {
  const nowMs = Date.now();
  return sounds
    .filter((sound) => toMeasuring(sound, nowMs).state === 'under-way')
    .map(({ id }) => id)
    .join(' ');
}
