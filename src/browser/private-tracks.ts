import { parseStored, readText, writeText } from './stored.ts';

/** The queue of the player, the id of the current sound and the position in it, which are only valid together. */
export const PLAYER_KEYS = ['player:queue', 'player:track', 'player:position'] as const;

interface Stored {
  readonly id?: unknown;
  readonly isPrivate?: unknown;
}

/**
 * Removes private sounds from the stored queue of the player, and the whole queue if one of them is the current sound.
 * For pages on which the player has not loaded; otherwise its store does this.
 */
export function removePrivateTracks(): void {
  for (const area of ['localStorage', 'sessionStorage'] as const) {
    const tracks = parseStored(readText('player:queue', area), (queue) =>
      Array.isArray(queue) ? queue.map((track) => Object(track) as Stored) : [],
    );
    const left = tracks.filter(({ isPrivate }) => !isPrivate);
    if (left.length === tracks.length) continue;
    const current = readText('player:track', area);
    if (left.some(({ id }) => id === current)) writeText('player:queue', JSON.stringify(left), area);
    else for (const key of PLAYER_KEYS) writeText(key, null, area);
  }
}
