/** Decoders differ by less in the same file. */
const SAME_LENGTH_WITHIN_SEC = 1;

/** The host's length, as on cards, unless it is unknown (0) or clearly another than that of the file. */
export function chooseLength(hostSec: number, fileSec: number): number {
  if (!Number.isFinite(fileSec) || fileSec <= 0) return hostSec;
  return Math.abs(fileSec - hostSec) < SAME_LENGTH_WITHIN_SEC && hostSec > 0 ? hostSec : fileSec;
}
