import type { Track } from '../lib/tracks.ts';
import { JUMP_SEC, type PlayTime } from './player.ts';

interface MediaKeys {
  togglePlayback(): void;
  playNext(): void;
  playPrevious(): void;
  jump(direction: 1 | -1): void;
  seekTo(sec: number): void;
}

/** Lets media keys and the lock screen drive the player. */
export function watchMediaKeys(keys: MediaKeys): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  mediaSession.setActionHandler('play', keys.togglePlayback);
  mediaSession.setActionHandler('pause', keys.togglePlayback);
  mediaSession.setActionHandler('nexttrack', keys.playNext);
  mediaSession.setActionHandler('previoustrack', keys.playPrevious);
  mediaSession.setActionHandler('seekforward', () => keys.jump(1));
  mediaSession.setActionHandler('seekbackward', () => keys.jump(-1));
  mediaSession.setActionHandler('seekto', ({ seekTime }) => keys.seekTo(seekTime ?? 0));
}

/** Shows a track, and where it stands, on the lock screen; null takes it away. */
export function showMediaSession(track: Track | null, time?: PlayTime): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  if (time) {
    if (time.durationSec <= JUMP_SEC || time.currentSec > time.durationSec) return;
    mediaSession.setPositionState({ duration: time.durationSec, position: time.currentSec });
    return;
  }
  mediaSession.metadata = track
    ? new MediaMetadata({
        title: track.title,
        artist: track.artist,
        artwork: track.thumbnail ? [{ src: track.thumbnail }] : [],
      })
    : null;
}
