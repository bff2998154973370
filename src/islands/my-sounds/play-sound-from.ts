import { $playback, $trackId, resumePlayback, seekTo } from '../../stores/player/player.ts';
import { startFromCard } from '../sounds/start-from-card.ts';

/** Plays a sound of the list behind the dialog from a position, with the list as its queue. */
export function playSoundFrom(soundId: string, fromSec: number): void {
  if ($trackId.get() === soundId && $playback.get().state !== 'failed') {
    seekTo(fromSec);
    resumePlayback();
    return;
  }
  const card = document.querySelector(`[data-sound="${CSS.escape(soundId)}"]`);
  if (card) startFromCard(card, fromSec);
}
