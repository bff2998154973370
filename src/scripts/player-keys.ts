import { followOverlays } from '../islands/overlays/load.ts';
import { downloadSound } from '../stores/downloads/downloads.ts';
import { toggleFavorite } from '../stores/favorites/favorites.ts';
import {
  $track,
  $trackId,
  jump,
  playNext,
  playPrevious,
  startPlayer,
  stepVolume,
  togglePlayback,
} from '../stores/player/player.ts';

const ACTIONS: Record<string, () => void> = {
  ' ': togglePlayback,
  arrowleft: () => jump(-1),
  arrowright: () => jump(1),
  arrowup: () => stepVolume(1),
  arrowdown: () => stepVolume(-1),
  n: playNext,
  p: playPrevious,
  f: () => {
    const id = $trackId.get();
    if (id !== '') toggleFavorite(id, true);
  },
  d: () => {
    const track = $track.get();
    if (track) void downloadSound(track);
  },
};

/** Handles a key of the player. */
export function pressPlayerKey(key: string): void {
  followOverlays();
  startPlayer();
  if ($track.get()) ACTIONS[key.toLowerCase()]?.();
}
