import { parseStored, readText, writeText } from './stored.ts';
import { isTrack } from './tracks.ts';

/** The queue, the id of the current sound and the position in it, which are only valid together. */
const KEYS = ['player:queue', 'player:track', 'player:position'] as const;
type Key = (typeof KEYS)[number];

/**
 * Reads what the player of this tab has stored. A new tab takes over what was stored last, by any tab (`early.ts` does the
 * same).
 */
export function readPlayerText(key: Key): string {
  if (readText('player:queue', 'sessionStorage') === '')
    for (const name of KEYS) writeText(name, readText(name) || null, 'sessionStorage');
  return readText(key, 'sessionStorage');
}

/** Stores for this tab, and all of this tab's player for the next new tab. */
export function writePlayerText(key: Key, text: string | null): void {
  writeText(key, text, 'sessionStorage');
  for (const name of KEYS) {
    const own = readText(name, 'sessionStorage');
    if (own !== readText(name)) writeText(name, own || null);
  }
}

/**
 * Removes private sounds from the stored queue of the player, and the whole queue if one of them is the current sound.
 * For pages on which the player has not loaded; otherwise its store does this.
 */
export function removePrivateTracks(): void {
  for (const area of ['localStorage', 'sessionStorage'] as const) {
    const tracks = parseStored(readText('player:queue', area), (queue) =>
      Array.isArray(queue) ? queue.filter(isTrack) : [],
    );
    const left = tracks.filter(({ isPrivate }) => !isPrivate);
    if (left.length === tracks.length) continue;
    const current = readText('player:track', area);
    if (left.some(({ id }) => id === current)) writeText('player:queue', JSON.stringify(left), area);
    else for (const name of KEYS) writeText(name, null, area);
  }
}
