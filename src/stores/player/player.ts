export {
  closePlayer,
  jump,
  pausePlayback,
  playNext,
  playPrevious,
  playTrack,
  resumePlayback,
  seekTo,
  setVolume,
  startPlayer,
  stepVolume,
  toggleLoop,
  togglePlayback,
} from './actions.ts';
export {
  $failedIds,
  $hasKeys,
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
export type { PlayTime } from './state.ts';
