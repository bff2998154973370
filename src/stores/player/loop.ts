import type { SeamlessLoop } from './seamless.ts';

/** Decoded, two minutes take 46 MB. */
const LOOP_SEC_MAX = 120;

interface Loop {
  readonly ending: AbortController;
  /** Once its samples are heard in place of the element. */
  playing?: SeamlessLoop;
}

/** The present loop, from the first attempt on until it ends. */
let present: Loop | undefined;

/**
 * Repeats what an element plays without a gap. The element remains the source of all events and of the volume, but is
 * silent. If the sound is too long or cannot be decoded, the element itself repeats it.
 */
export function startLoop(element: HTMLAudioElement): void {
  if (present || !(element.duration <= LOOP_SEC_MAX)) return;
  const loop: Loop = { ending: new AbortController() };
  present = loop;
  const { signal } = loop.ending;
  signal.addEventListener('abort', () => {
    if (present === loop) present = undefined;
  });
  void import('./seamless.ts')
    .then(({ replaceElement }) => replaceElement(element, loop.ending))
    .then((playing) => {
      loop.playing = playing;
      signal.addEventListener('abort', () => delete loop.playing);
    })
    .catch((error: unknown) => {
      if (!signal.aborted) console.warn(error);
    });
}

/** The element is heard again, at the same position. */
export function endLoop(): void {
  present?.ending.abort();
}

/** Whether samples are heard in place of the element. */
export function isSeamless(): boolean {
  return present?.playing !== undefined;
}

/** What is heard now, in seconds. */
export function readPosition(element: HTMLAudioElement): number {
  return present?.playing?.readSec() ?? element.currentTime;
}

export function seekLoop(sec: number): void {
  present?.playing?.seekTo(sec);
}
