import { isTrack } from './tracks.ts';

/**
 * Removes private sounds from the stored queue of the player, and the whole queue if one of them is the current sound.
 * For pages on which the player has not loaded; otherwise its store does this.
 */
export function removePrivateTracks(): void {
  try {
    const queue = JSON.parse(localStorage.getItem('player:queue') ?? '[]') as unknown;
    const tracks = Array.isArray(queue) ? queue.filter(isTrack) : [];
    if (!tracks.some(({ isPrivate }) => isPrivate)) return;
    const current = localStorage.getItem('player:track');
    const left = tracks.filter(({ isPrivate }) => !isPrivate);
    if (left.some(({ id }) => id === current)) localStorage.setItem('player:queue', JSON.stringify(left));
    else for (const name of ['queue', 'track', 'position']) localStorage.removeItem(`player:${name}`);
  } catch {
    // If storage is denied or holds no queue, there are no private sounds to remove.
  }
}
