export {
  closePlayer,
  holdFollowers,
  jump,
  pausePlayback,
  playNext,
  playPrevious,
  playTrack,
  resumePlayback,
  seekTo,
  startPlayer,
  togglePlayback,
} from './actions.ts';
export { setVolume, stepVolume, toggleLevel, toggleLoop } from './settings.ts';
export {
  $canSeek,
  $failedIds,
  $hasKeys,
  $isLevelled,
  $isLooping,
  $playTime,
  $playback,
  $playingId,
  $queue,
  $track,
  $trackId,
  $volume,
  VOLUME_STEP,
} from './state.ts';
