import type { Edit } from './m4a-edits.ts';
import type { TimeHeader } from './m4a-headers.ts';
import { cutTimes, sumTimes } from './m4a-times.ts';
import type { Times } from './m4a-times.ts';

/** If a file names none. */
const MOVIE_TIMESCALE = 1_000;
/** Times are rounded, and recorders drop frames; a larger difference to the counted frames means a false table. */
const TIMES_TOLERANCE = 0.05;
/** Encoders that delay a sound do so by a few frames. */
const SILENCE_SECONDS_MAX = 1;

/** The frames of a track, as counted. */
export interface CountedFrames {
  readonly frames: number;
  readonly samplesPerFrame: number;
  readonly sampleRateHz: number;
}

/** The length of a track in its own units; what the file says is only used where it is right. */
export interface TrackLength {
  readonly header: TimeHeader;
  readonly times: readonly Times[];
  /** The sum of `times`. */
  readonly units: number;
  readonly unitsPerFrame: number;
  /** Where the sound ended by a header that is too short. */
  readonly falseEnd: number | undefined;
}

/** Corrects `mdhd` and the times of frames. Headers of encoders differ by a frame, which is not corrected. */
export function correctTrackLength(
  header: TimeHeader,
  claimed: readonly Times[],
  { frames, samplesPerFrame, sampleRateHz }: CountedFrames,
): TrackLength {
  const inTimescale = (header.timescale * samplesPerFrame) / sampleRateHz;
  const cut = cutTimes(claimed, frames);
  const right = inTimescale * frames;
  const isTimed = cut !== undefined && header.timescale > 0;
  if (!isTimed || !isNear(sumTimes(cut), right, right * TIMES_TOLERANCE + inTimescale)) {
    const units = samplesPerFrame * frames;
    return {
      header: { ...header, timescale: sampleRateHz, units },
      times: [[frames, samplesPerFrame]],
      units,
      unitsPerFrame: samplesPerFrame,
      falseEnd: undefined,
    };
  }
  const units = sumTimes(cut);
  const isRight = isNear(header.units, units, inTimescale);
  return {
    header: { ...header, units: isRight ? header.units : units },
    times: cut,
    units,
    unitsPerFrame: inTimescale,
    falseEnd: !isRight && header.units < units ? header.units : undefined,
  };
}

/** The length of a file in the units of `mvhd`. */
export interface MovieLength {
  readonly header: TimeHeader;
  /** For `tkhd`. */
  readonly trackUnits: number;
  readonly edits: readonly Edit[];
  readonly audibleSeconds: number;
}

/** Corrects `mvhd`, `tkhd` and the edits, which may state the length of the whole track or of its audible part. */
export function correctMovieLength(
  claimed: { readonly header: TimeHeader; readonly trackUnits: number; readonly edits: readonly Edit[] },
  track: TrackLength,
): MovieLength {
  const timescale = claimed.header.timescale || MOVIE_TIMESCALE;
  const perUnit = timescale / track.header.timescale;
  const tolerance = track.unitsPerFrame * perUnit + 1;
  const edits = correctEdits(claimed.edits, track, { perUnit, tolerance });
  const whole = track.units * perUnit;
  const heard = edits.length === 0 ? whole : edits.reduce((sum, { duration }) => sum + duration, 0);
  const correct = (units: number) =>
    isNear(units, heard, tolerance) || isNear(units, whole, tolerance) ? units : Math.round(heard);
  return {
    header: { ...claimed.header, timescale, units: correct(claimed.header.units) },
    trackUnits: correct(claimed.trackUnits),
    edits,
    audibleSeconds: Math.min(heard, whole) / timescale,
  };
}

/**
 * Edits of what exists. One without an end, with an end behind the sound, or with that of a header that is too short,
 * lasts to the end of the sound. A shorter one is a cut, which players respect.
 */
function correctEdits(
  edits: readonly Edit[],
  { units, header: { timescale: unitsPerSecond }, falseEnd }: TrackLength,
  { perUnit, tolerance }: { perUnit: number; tolerance: number },
): Edit[] {
  const corrected: Edit[] = [];
  let silence = unitsPerSecond * perUnit * SILENCE_SECONDS_MAX;
  let room = units * perUnit;
  for (const { duration, start } of edits) {
    if (start < 0) {
      if (start !== -1 || duration > silence || duration === 0) continue;
      silence -= duration;
      corrected.push({ duration, start });
      continue;
    }
    const left = Math.min(room, (units - start) * perUnit);
    const end = start * perUnit + duration;
    const isFalse =
      duration === 0 ||
      duration > left + tolerance ||
      (falseEnd !== undefined && isNear(end, falseEnd * perUnit, tolerance));
    const right = isFalse ? Math.round(left) : duration;
    if (left <= 0 || right === 0) continue;
    room -= right;
    corrected.push({ duration: right, start });
  }
  return corrected;
}

function isNear(value: number, right: number, tolerance: number): boolean {
  return Math.abs(value - right) <= tolerance;
}
