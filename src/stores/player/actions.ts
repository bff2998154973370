import { toElementVolume } from '../../lib/playing.ts';
import { openChannel } from '../../browser/channel.ts';
import { startAt } from '../../browser/start-at.ts';
import { chooseLength } from '../../lib/choose-length.ts';
import { type Track, markPlayButtons, readQueue, readTrack } from '../../browser/tracks.ts';
import {
  $canSeek,
  $failedIds,
  $isLevelled,
  $isLooping,
  $playTime,
  $playback,
  $playingId,
  $queue,
  $savedSec,
  $track,
  $trackId,
  $volume,
  JUMP_SEC,
  LISTEN_INTERVAL_MS,
  findFollower,
  findNeighbour,
} from './state.ts';
import { endLoop, isSeamless, readPosition, seekLoop, startLoop } from './loop.ts';
import { followPage, showStored } from './page.ts';
import { $session, onMemberLeave } from '../session/session.ts';

/** How long a failure message is shown before the queue continues. */
const SKIP_AFTER_MS = 1500;

/** One `Audio` for the whole site, outside the DOM, so that navigations do not remove it. */
let audio: HTMLAudioElement | undefined;
/** The id of the sound loaded in `audio`. */
let loadedId = '';
/** Whether no sound may start by itself now. */
let isBlocked = false;
/** Whether a sound has ended meanwhile, so that the next one is due. */
let isFollowerDue = false;
let skipTimer: ReturnType<typeof setTimeout> | undefined;
let savedAt = 0;
let followers: Promise<void> | undefined;
const otherTabs = openChannel<'playing'>('player');

/** Once per page. Adopts the sound that was started before this module had loaded. */
export function startPlayer(): void {
  if (audio) return;
  const { early } = window;
  audio = early?.audio ?? new Audio();
  audio.preload = 'metadata';
  listenTo(audio);
  if (early?.button) adopt(early.button, audio, early.fromSec);
  if (early) early.press = pressPlay;
  for (const $cause of [$volume, $isLevelled]) $cause.subscribe(applyVolume);
  $isLooping.subscribe(followLooping);
  $playingId.subscribe(markPlayButtons);
  $track.subscribe((track) => {
    document.documentElement.toggleAttribute('data-player', track !== null);
  });
  document.addEventListener('astro:after-swap', () => markPlayButtons($playingId.get()));
  otherTabs.listen(() => audio?.pause());
  followPage(unload);
  // A tab that the browser has restored, after a log-out.
  if (!$session.get().isAuthenticated) dropPrivate();
  if (!early?.button) showStored();
}

/**
 * Handles a press on a play button: plays its sound with its list as the queue, or pauses and resumes it. A press on its
 * waveform gives the position in seconds.
 */
export function pressPlay(button: HTMLElement, fromSec?: number): void {
  const track = readTrack(button);
  if (!track) return;
  if (fromSec === undefined && track.id === $trackId.get() && $playback.get().state !== 'failed') {
    $queue.set(readQueue(button));
    togglePlayback();
    return;
  }
  playTrack(track, readQueue(button), fromSec);
}

/** Plays a track from its start, or from `fromSec`, within a queue. */
export function playTrack(track: Track, queue: readonly Track[] = $queue.get(), fromSec = 0): void {
  startPlayer();
  clearTimeout(skipTimer);
  $failedIds.set(new Set([...$failedIds.get()].filter((id) => id !== track.id)));
  $queue.set(queue.some(({ id }) => id === track.id) ? queue : [track]);
  $trackId.set(track.id);
  load(track, fromSec);
  start();
}

export function togglePlayback(): void {
  if (audio && !audio.paused && $playback.get().state !== 'failed') pausePlayback();
  else resumePlayback();
}

export function pausePlayback(): void {
  audio?.pause();
}

/** Resumes the current track at its position; retries one whose file failed. */
export function resumePlayback(): void {
  const track = $track.get();
  if (!track || !audio) return;
  if ($playback.get().state === 'failed') return playTrack(track);
  if (loadedId !== track.id) load(track, $savedSec.get() || 0);
  start();
}

/** Automatic advance stops at the end of the queue; only the buttons wrap around. */
function playFollower(): void {
  isFollowerDue = isBlocked;
  if (isBlocked) return;
  const follower = findFollower();
  if (follower) playTrack(follower);
}

/** Until the returned function is called, no sound starts by itself. A sound that is due starts then. */
export function holdFollowers(): () => void {
  isBlocked = true;
  return () => {
    isBlocked = false;
    if (isFollowerDue) playFollower();
  };
}

export function playNext(): void {
  const next = findNeighbour(1);
  if (next) playTrack(next);
}

export function playPrevious(): void {
  const previous = findNeighbour(-1);
  if (previous) playTrack(previous);
}

/** Seeks in the current track, in seconds; without effect where its host does not allow that. */
export function seekTo(sec: number): void {
  const track = $track.get();
  if (!track || !audio || !$canSeek.get()) return;
  if (loadedId !== track.id) load(track, 0);
  const durationSec = toDuration(audio, track);
  const currentSec = Math.max(0, durationSec > 0 ? Math.min(sec, durationSec) : sec);
  startAt(audio, currentSec);
  seekLoop(currentSec);
  $playTime.set({ currentSec, durationSec });
  $savedSec.set(currentSec);
}

/** Seeks by `JUMP_SEC` back or forth. */
export function jump(direction: 1 | -1): void {
  seekTo($playTime.get().currentSec + direction * JUMP_SEC);
}

/** Stops, empties the queue and removes the bar. */
export function closePlayer(): void {
  unload();
  $trackId.set('');
  $queue.set([]);
  $savedSec.set(0);
  $playback.set({ state: 'idle' });
}

function unload(): void {
  clearTimeout(skipTimer);
  isFollowerDue = false;
  audio?.pause();
  endLoop();
  audio?.removeAttribute('src');
  loadedId = '';
}

/** A private sound is for its artist only; other playback continues. */
function dropPrivate(): void {
  if ($track.get()?.isPrivate) return closePlayer();
  const queue = $queue.get();
  const left = queue.filter(({ isPrivate }) => !isPrivate);
  if (left.length < queue.length) $queue.set(left);
}

onMemberLeave(dropPrivate);

function adopt(button: HTMLElement, playing: HTMLAudioElement, fromSec = 0): void {
  const track = readTrack(button);
  if (!track) return;
  if (playing.currentTime < fromSec) startAt(playing, fromSec);
  $queue.set(readQueue(button));
  $trackId.set(track.id);
  loadedId = track.id;
  applyVolume();
  $playTime.set({ currentSec: playing.currentTime, durationSec: toDuration(playing, track) });
  followLooping();
  if (playing.error) fail();
  else $playback.set({ state: playing.paused ? 'paused' : playing.readyState < 3 ? 'loading' : 'playing' });
  if (!playing.paused) otherTabs.post('playing');
  loadFollowers();
}

/** Media keys, the check of seeking and the count of plays are needed from the first sound on; their code does not load earlier. */
function loadFollowers(): void {
  followers ??= import('./followers.ts').then(
    ({ startFollowers }) =>
      audio && startFollowers(audio, { resumePlayback, pausePlayback, playNext, playPrevious, jump, seekTo }),
    () => {
      followers = undefined;
    },
  );
}

/** A sound that is marked as a loop is repeated without a gap; every other one by the element. */
function followLooping(): void {
  if (!audio) return;
  audio.loop = $isLooping.get();
  const track = $track.get();
  if (!audio.loop) endLoop();
  else if (track?.isLoopable && loadedId === track.id && !audio.paused) startLoop(audio);
}

/** Before the first sample: a later change would be heard as a jump. */
function applyVolume(): void {
  const gain = loadedId === '' ? undefined : $queue.get().find(({ id }) => id === loadedId)?.gain;
  if (audio) audio.volume = toElementVolume($volume.get(), gain, $isLevelled.get());
}

function load(track: Track, fromSec: number): void {
  if (!audio) return;
  endLoop();
  loadedId = track.id;
  applyVolume();
  audio.src = track.src;
  if (fromSec > 0) startAt(audio, fromSec);
  $playTime.set({ currentSec: fromSec, durationSec: track.durationSec });
  $savedSec.set(fromSec);
}

function start(): void {
  isFollowerDue = false;
  document.documentElement.dataset['player'] = '';
  document.dispatchEvent(new Event('player:start'));
  $playback.set({ state: 'loading' });
  otherTabs.post('playing');
  loadFollowers();
  void audio?.play().catch((error: unknown) => {
    const { name } = error as Error;
    if (name === 'NotAllowedError') $playback.set({ state: 'paused' });
    // A skip before the file has started aborts the older play(); that is not an error.
    else if (name !== 'AbortError' && $playback.get().state !== 'failed') fail();
  });
}

function listenTo(element: HTMLAudioElement): void {
  const is = (state: 'playing' | 'paused' | 'loading') => () => {
    if (loadedId !== '') $playback.set({ state });
  };
  element.addEventListener('playing', is('playing'));
  element.addEventListener('pause', is('paused'));
  // A muted element does not interrupt the loop that is heard.
  element.addEventListener('waiting', () => isSeamless() || is('loading')());
  element.addEventListener('timeupdate', () => updateTime(element));
  element.addEventListener('durationchange', () => updateTime(element));
  element.addEventListener('playing', followLooping);
  element.addEventListener('ended', playFollower);
  element.addEventListener('error', () => {
    if (element.getAttribute('src')) fail();
  });
}

function updateTime(element: HTMLAudioElement): void {
  const track = $track.get();
  if (!track || loadedId !== track.id) return;
  const currentSec = readPosition(element);
  $playTime.set({ currentSec, durationSec: toDuration(element, track) });
  if (Math.abs(currentSec * 1000 - savedAt) < LISTEN_INTERVAL_MS) return;
  savedAt = currentSec * 1000;
  $savedSec.set(Math.round(currentSec * 10) / 10);
}

function fail(): void {
  endLoop();
  const id = $trackId.get();
  $failedIds.set(new Set([...$failedIds.get(), id]));
  $playback.set({ state: 'failed' });
  clearTimeout(skipTimer);
  skipTimer = setTimeout(() => {
    if ($trackId.get() === id) playFollower();
  }, SKIP_AFTER_MS);
}

function toDuration(element: HTMLAudioElement, track: Track): number {
  return chooseLength(track.durationSec, element.duration);
}
