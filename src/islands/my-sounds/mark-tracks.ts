import { markPlayButtons } from '../../lib/tracks.ts';
import { $playingId } from '../../stores/player/player.ts';
import { startPlayer } from '../../stores/player/actions.ts';

/** Cards that came with a render may be of the sound that plays. */
export function markTracks(): void {
  startPlayer();
  markPlayButtons($playingId.get());
}
