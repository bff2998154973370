/** Window over which the speed is averaged: short enough to follow changes, long enough not to flicker. */
const WINDOW_MS = 4_000;
/** Earlier than this the speed is not reliable. */
const SURE_AFTER_MS = 500;

/** Measures the speed of an upload: gets the sent bytes, returns bytes per second, or null while unknown. */
export function createSpeedometer(now: () => number = () => performance.now()) {
  const samples: { atMs: number; bytes: number }[] = [];
  return function record(bytes: number): number | null {
    const atMs = now();
    samples.push({ atMs, bytes });
    while (samples.length > 2 && atMs - (samples[1]?.atMs ?? atMs) > WINDOW_MS) samples.shift();
    const [first] = samples;
    if (!first || atMs - first.atMs < SURE_AFTER_MS || bytes <= first.bytes) return null;
    return ((bytes - first.bytes) / (atMs - first.atMs)) * 1000;
  };
}
