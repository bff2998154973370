/** The mean square of about 3 ms of a sound. */
export interface Envelope {
  readonly stepMs: number;
  /** The first steps, and the last ones; in a short sound they overlap. */
  readonly head: readonly number[];
  readonly tail: readonly number[];
  /** The loudest step of all. */
  readonly loudest: number;
  readonly sampleRateHz: number;
}

/** How much of either end is looked at. */
export const ENVELOPE_MS = 400;
const WINDOW_MS = 20;
/** The window at the end, and those before it. */
const WINDOWS = 5;
/**
 * Where nothing says otherwise, MP3 and AAC play their encoder's delay and padding along, up to two
 * frames; they are silent, with a little noise next to the sound.
 */
const PADDING_SAMPLES = 2_500;
/** Mean squares, as shares: 20 dB below is over; 6 dB below is fading; 10 dB is about as loud. */
const OVER = 0.01;
const FADING = 0.25;
const ABOUT = 0.1;
/** −40 dBFS: quieter, and nobody hears it end. */
const LOUD = 1e-4;
/** 26 dB below the loudest moment: a decay that was cut so late is common use. */
const LATE = 0.0025;

/**
 * Whether a sound ends at once: it stood for 100 ms, and is as loud as before in its last 20 ms. So
 * - what fades within 25 ms or more, or dies away, is quieter there than before;
 * - a click or a drum has not stood: one of the windows before is far quieter, or louder;
 * - what falls silent before the file ends does end, unless that silence is no longer than padding;
 * - a loop ends in the middle too, but begins there: where the beginning is at once as loud as the
 *   end, the two are believed to meet. A cut sound with a hard beginning goes unnoticed for it;
 *   better that than to accuse a loop.
 */
export function isTailCut({ stepMs, head, tail, loudest, sampleRateHz }: Envelope): boolean {
  const steps = Math.round(WINDOW_MS / stepMs);
  const padding = Math.ceil((PADDING_SAMPLES * 1000) / sampleRateHz / stepMs);
  const top = Math.max(...tail.slice(-padding - steps * WINDOWS));
  const end = tail.findLastIndex((power) => power > top * OVER) + 1;
  if (end < steps * WINDOWS || tail.length - end > padding) return false;

  const [last = 0, ...before] = Array.from({ length: WINDOWS }, (_, index) =>
    mean(tail.slice(end - steps * (index + 1), end - steps * index)),
  );
  const hasStood = before.every((power) => power >= last * ABOUT) && last >= mean(before) * FADING;
  if (!hasStood || last < LOUD || last < loudest * LATE) return false;

  const begin = head.findIndex((power) => power > last * OVER);
  const beginsLoud = begin !== -1 && mean(head.slice(begin, begin + steps)) >= last * ABOUT;
  return begin > padding || !beginsLoud;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
