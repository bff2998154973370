import { canSetVolume } from '../../browser/volume.ts';
import { $canSeek, $playTime, $playback, $savedSec, $track } from './state.ts';

interface MediaKeys {
  resumePlayback(): void;
  pausePlayback(): void;
  playNext(): void;
  playPrevious(): void;
  jump(direction: 1 | -1): void;
  seekTo(sec: number): void;
}

/** Connects media keys and the lock screen to the player. Once per page. */
export function followPlayer(audio: HTMLAudioElement, keys: MediaKeys): void {
  if (!('mediaSession' in navigator)) return;
  const { mediaSession } = navigator;
  const handle = () => {
    const canSeek = $canSeek.get();
    // The lock screen of iOS has one pair of keys: with these handlers, it would show them in place of ⏮ and ⏭.
    const canJump = canSeek && canSetVolume();
    mediaSession.setActionHandler('play', keys.resumePlayback);
    mediaSession.setActionHandler('pause', keys.pausePlayback);
    mediaSession.setActionHandler('nexttrack', keys.playNext);
    mediaSession.setActionHandler('previoustrack', keys.playPrevious);
    // Without a handler, the browser shows no button.
    mediaSession.setActionHandler('seekforward', canJump ? () => keys.jump(1) : null);
    mediaSession.setActionHandler('seekbackward', canJump ? () => keys.jump(-1) : null);
    mediaSession.setActionHandler('seekto', canSeek ? ({ seekTime }) => keys.seekTo(seekTime ?? 0) : null);
  };
  $canSeek.subscribe(handle);
  // WebKit forgets handlers when playback starts.
  audio.addEventListener('playing', handle);

  $track.subscribe((track) => {
    // Otherwise the time of the previous sound would remain.
    mediaSession.setPositionState();
    mediaSession.metadata = track
      ? new MediaMetadata({
          title: track.title,
          artist: track.artist,
          artwork: track.thumbnail ? [{ src: track.thumbnail }] : [],
        })
      : null;
  });
  $playback.subscribe(({ state }) => {
    const isOn = state === 'playing' || state === 'loading';
    mediaSession.playbackState = isOn ? 'playing' : state === 'paused' ? 'paused' : 'none';
  });
  // Written every listen interval: the lock screen extrapolates in between.
  $savedSec.subscribe(() => {
    const { currentSec, durationSec } = $playTime.get();
    if (durationSec > 0 && currentSec <= durationSec) {
      mediaSession.setPositionState({ duration: durationSec, position: currentSec });
    }
  });
}
