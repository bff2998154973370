import { effect } from 'nanostores';
import { toMeasuring } from './findings.ts';
import { $mySounds, $tab, FAVORITES_TAB, refreshSounds } from './list.ts';
import type { SoundPages } from './pages.ts';

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

  function checkSounds(list: SoundPages): void {
    clearTimeout(timer);
    const unmeasured = listUnmeasured(list);
    if (unmeasured !== waitingFor) tries = 0;
    waitingFor = unmeasured;
    if (unmeasured === '') return;
    const afterMs = READ_AFTER_MS[tries];
    if (afterMs !== undefined) timer = setTimeout(readAgain, afterMs);
  }

  function readAgain(): void {
    tries += 1;
    refreshSounds();
  }

  return effect([$mySounds, $tab], (pages, tab) => {
    if (pages === null || tab === null || tab === FAVORITES_TAB) return undefined;
    const stop = pages.$pages.subscribe(checkSounds);
    return () => {
      stop();
      clearTimeout(timer);
    };
  });
}

function listUnmeasured(list: SoundPages): string {
  if (list.state !== 'ready') return '';
  const nowMs = Date.now();
  return list.sounds
    .filter((sound) => toMeasuring(sound, nowMs).state === 'under-way')
    .map(({ id }) => id)
    .join(' ');
}
