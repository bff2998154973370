import { readQueue, readTrack } from '../../browser/tracks.ts';
import { playTrack } from '../../stores/player/player.ts';

/** Plays the sound of the card around an element from `fromSec`, with its list as the queue. */
export function startFromCard(element: Element, fromSec: number): void {
  const button = element.closest('[data-sound]')?.querySelector<HTMLElement>('[data-play]');
  const track = button && readTrack(button);
  if (track) playTrack(track, readQueue(button), fromSec);
}
