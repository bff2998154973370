import { markPlayButtons } from '../../lib/tracks.ts';
import { $playingId, startPlayer } from '../../stores/player/player.ts';

/** Cards of this render may belong to the current sound. */
export function markTracks(): void {
  startPlayer();
  markPlayButtons($playingId.get());
}
