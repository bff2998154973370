import { markPlayButtons } from '../../browser/tracks.ts';
import { $playingId, startPlayer } from '../../stores/player/player.ts';

/** Marks the cards of the current sound, which this render may have added. */
export function markTracks(): void {
  startPlayer();
  markPlayButtons($playingId.get());
}
