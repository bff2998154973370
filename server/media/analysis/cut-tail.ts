import { mean } from './mean.ts';

/** The mean square of about 3 ms of a sound. */
export interface Envelope {
  readonly stepMs: number;
  /** The first and the last steps; in a short sound they overlap. */
  readonly head: readonly number[];
  readonly tail: readonly number[];
  /** The loudest step. */
  readonly loudest: number;
  readonly sampleRateHz: number;
}

/** How much of each end is examined. */
export const ENVELOPE_MS = 400;
const WINDOW_MS = 20;
/** The window at the end, and the windows before it. */
const WINDOWS = 5;
/**
 * Without other information, MP3 and AAC decoders include the encoder's delay and padding, up to two frames; they are
 * silent, with a little noise next to the sound.
 */
const PADDING_SAMPLES = 2_500;
/** Ratios of mean squares: 20 dB lower has ended; 6 dB lower is fading; 10 dB is about as loud. */
const OVER = 0.01;
const FADING = 0.25;
const ABOUT = 0.1;
/** −40 dBFS: the end of a quieter sound is inaudible. */
const LOUD = 1e-4;
/** 26 dB below the loudest moment: cutting a decay that late is common. */
const LATE = 0.0025;

/**
 * Whether a sound ends abruptly: it was steady for 100 ms, and its last 20 ms are as loud as before. Therefore:
 * - a sound that fades within 25 ms or more, or decays, is quieter there than before;
 * - a click or a drum was not steady: one of the earlier windows is far quieter, or louder;
 * - a sound that falls silent before the end of the file does end, unless that silence is no longer than padding;
 * - a loop also ends while it is loud, but starts loud: if the start is at once as loud as the end, the two are assumed
 *   to join. This misses cut sounds with a hard start, which is preferred to false reports about loops.
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
  const isSteady = before.every((power) => power >= last * ABOUT) && last >= mean(before) * FADING;
  if (!isSteady || last < LOUD || last < loudest * LATE) return false;

  const begin = head.findIndex((power) => power > last * OVER);
  const beginsLoud = begin !== -1 && mean(head.slice(begin, begin + steps)) >= last * ABOUT;
  return begin > padding || !beginsLoud;
}
