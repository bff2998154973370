import { PLAYED_SEC } from '../../contract/sounds/plays.ts';

/** Longer steps between two positions are jumps of the listener, not time that was heard. */
const STEP_SEC_MAX = 2;
/** Positions are a little behind the end when a sound ends. */
const END_SHARE = 0.9;

/**
 * Follows the position in one sound, and returns true once it has been heard for the time that counts as a play, or to
 * its end if it is shorter.
 */
export function createHeard(
  fromSec: number,
): (sec: number, durationSec: number, isPlaying: boolean) => boolean {
  let heardSec = 0;
  let lastSec = fromSec;
  return (sec, durationSec, isPlaying) => {
    const step = sec - lastSec;
    lastSec = sec;
    if (isPlaying && step > 0 && step <= STEP_SEC_MAX) heardSec += step;
    const needed = durationSec > 0 ? Math.min(PLAYED_SEC, durationSec * END_SHARE) : PLAYED_SEC;
    return heardSec >= needed;
  };
}
