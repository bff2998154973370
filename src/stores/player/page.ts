import { onPage } from '../../browser/page-cache.ts';
import { $playTime, $playback, $savedSec, $track, rereadPlayer } from './state.ts';

/** Shows what this tab has stored, at its position; the next press on play loads it. */
export function showStored(): void {
  const track = $track.get();
  if (track) $playTime.set({ currentSec: $savedSec.get() || 0, durationSec: track.durationSec });
  $playback.set({ state: track ? 'paused' : 'idle' });
}

/** A page that comes back shows what its tab played last, here or on another page. `endSound` removes the sound that is loaded. */
export function followPage(endSound: () => void): void {
  onPage('hide', () => {
    if ($track.get()) $savedSec.set($playTime.get().currentSec);
    endSound();
    showStored();
  });
  onPage('show', () => {
    rereadPlayer();
    showStored();
  });
}
