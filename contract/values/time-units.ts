/** Lengths of time, in milliseconds and in seconds. A day is 24 hours: Japan has no summer time. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
/** What Japan is ahead of UTC. */
export const JAPAN_MS = 9 * HOUR_MS;
export const MINUTE_SEC = 60;
export const HOUR_SEC = 60 * MINUTE_SEC;
export const DAY_SEC = 24 * HOUR_SEC;
