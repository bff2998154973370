import type { Track } from '../lib/tracks.ts';
import type { PlayTime, Playback } from './player.ts';

interface MediaKeys {
  resumePlayback(): void;
  pausePlayback(): void;
  playNext(): void;
  playPrevious(): void;
  jump(direction: 1 | -1): void;
  seekTo(sec: number): void;
}

/** Lets media keys and the lock screen drive the player. */
export function watchMediaKeys(keys: MediaKeys): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  mediaSession.setActionHandler('play', keys.resumePlayback);
  mediaSession.setActionHandler('pause', keys.pausePlayback);
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
    if (time.durationSec <= 0 || time.currentSec > time.durationSec) return;
    mediaSession.setPositionState({ duration: time.durationSec, position: time.currentSec });
    return;
  }
  // The time of the sound before would stay otherwise.
  mediaSession.setPositionState();
  mediaSession.metadata = track
    ? new MediaMetadata({
        title: track.title,
        artist: track.artist,
        artwork: track.thumbnail ? [{ src: track.thumbnail }] : [],
      })
    : null;
}

/** Tells the system whether something sounds, so that its own button shows the right sign. */
export function showPlaybackState(state: Playback['state']): void {
  if (!('mediaSession' in navigator)) return;
  const isOn = state === 'playing' || state === 'loading';
  navigator.mediaSession.playbackState = isOn ? 'playing' : state === 'paused' ? 'paused' : 'none';
}
