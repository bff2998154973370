import { readStored, readText, writeStored } from './stored.ts';
import { isTrack } from './tracks.ts';

/**
 * Removes private sounds from the stored queue of the player, and the whole queue if one of them is the current sound.
 * For pages on which the player has not loaded; otherwise its store does this.
 */
export function removePrivateTracks(): void {
  const tracks = readStored('player:queue', (queue) => (Array.isArray(queue) ? queue.filter(isTrack) : []));
  const left = tracks.filter(({ isPrivate }) => !isPrivate);
  if (left.length === tracks.length) return;
  const current = readText('player:track');
  if (left.some(({ id }) => id === current)) writeStored('player:queue', left);
  else for (const name of ['queue', 'track', 'position']) writeStored(`player:${name}`, null);
}
