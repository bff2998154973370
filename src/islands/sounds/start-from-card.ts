import { readQueue, readTrack } from '../../lib/tracks.ts';
import { playTrack } from '../../stores/player-actions.ts';

/** Plays the sound of a card on this page from `fromSec`, with its list as the queue. */
export function startFromCard(soundId: string, fromSec: number): void {
  const button = document.querySelector<HTMLElement>(`[data-sound="${CSS.escape(soundId)}"] [data-play]`);
  const track = button && readTrack(button);
  if (track) playTrack(track, readQueue(button), fromSec);
}
