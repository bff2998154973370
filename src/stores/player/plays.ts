import { FEED_HASH, PLAY_SOURCES } from '../../../contract/sounds/plays.ts';
import { PLAYS_MAX, type Play, countPlays } from '../../../contract/artists/statistics.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import type { Track } from '../../browser/tracks.ts';
import { createHeard } from '../../lib/heard.ts';
import { $playTime, $playback, $track } from './state.ts';

/** Plays of this time are sent together. */
const SEND_AFTER_MS = 5_000;
/** A sound that is further along when this code has loaded was not started just now. */
const STARTED_SEC_MAX = 10;

const waiting: Play[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reports the sounds that are heard to an extended host, once for each time that one becomes the current track. */
export function followPlays(): void {
  if (!isExtended()) return;
  let current = '';
  let isHeard: ReturnType<typeof createHeard> | null = null;
  $playTime.subscribe(({ currentSec, durationSec }) => {
    const track = $track.get();
    if (!track) return;
    // The first sound has been heard, perhaps to its end, while this code was loading.
    const isFirst = current === '' && currentSec < STARTED_SEC_MAX;
    if (track.id !== current) {
      current = track.id;
      isHeard = track.isPrivate ? null : createHeard(isFirst ? 0 : currentSec);
    }
    if (!isHeard?.(currentSec, durationSec, isFirst || $playback.get().state === 'playing')) return;
    isHeard = null;
    report(track);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
}

function report({ id: sound, from = '' }: Track): void {
  const [, given, search] = /^(\w*) ?(.*)$/s.exec(from) ?? [];
  const name = given === 'sound' && location.hash === FEED_HASH ? 'feed' : given;
  const source = PLAY_SOURCES.find((each) => each === name) ?? 'elsewhere';
  waiting.push({ sound, source, ...(source === 'search' && search && { search }) });
  timer ??= setTimeout(send, SEND_AFTER_MS);
  if (waiting.length >= PLAYS_MAX) send();
}

/** Statistics: no retry and no message. */
function send(): void {
  clearTimeout(timer);
  timer = undefined;
  const plays = waiting.splice(0);
  if (plays.length > 0) callApi(countPlays, { body: { plays }, keepalive: true }).catch(() => undefined);
}
