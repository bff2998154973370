import { PLAYER_KEYS } from './private-tracks.ts';
import { readText, writeText } from './stored.ts';

type Key = (typeof PLAYER_KEYS)[number];

/**
 * Reads what the player of this tab has stored. A new tab takes over what was stored last, by any tab (`early.ts` does the
 * same).
 */
export function readPlayerText(key: Key): string {
  if (readText('player:queue', 'sessionStorage') === '')
    for (const name of PLAYER_KEYS) writeText(name, readText(name) || null, 'sessionStorage');
  return readText(key, 'sessionStorage');
}

/** Stores for this tab, and all of this tab's player for the next new tab. */
export function writePlayerText(key: Key, text: string | null): void {
  writeText(key, text, 'sessionStorage');
  for (const name of PLAYER_KEYS) {
    const own = readText(name, 'sessionStorage');
    if (own !== readText(name)) writeText(name, own || null);
  }
}
