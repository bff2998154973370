/** Over so long the speed is averaged: short enough to follow, long enough not to flicker. */
const WINDOW_MS = 4_000;
/** Before that much time has passed a speed is a guess. */
const SURE_AFTER_MS = 500;

/** Measures how fast something is sent. Returns bytes a second, or null while that is not known. */
export function createSpeedometer(now: () => number = () => performance.now()) {
  const samples: { atMs: number; bytes: number }[] = [];
  return function note(bytes: number): number | null {
    const atMs = now();
    samples.push({ atMs, bytes });
    while (samples.length > 2 && atMs - (samples[1]?.atMs ?? atMs) > WINDOW_MS) samples.shift();
    const [first] = samples;
    if (!first || atMs - first.atMs < SURE_AFTER_MS || bytes <= first.bytes) return null;
    return ((bytes - first.bytes) / (atMs - first.atMs)) * 1000;
  };
}
