/** Spec §7: how long to wait before each repetition of a read that failed, in milliseconds. A 4xx is never repeated. */
export const READ_RETRY_WAITS_MS = [1000, 2000, 4000] as const;
