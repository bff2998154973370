import { markPlayButtons } from '../../lib/tracks.ts';
import { $playingId, startPlayer } from '../../stores/player/player.ts';

/** Cards that came with a render may be of the sound that plays. */
export function markTracks(): void {
  startPlayer();
  markPlayButtons($playingId.get());
}
