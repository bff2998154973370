/** Spec §9: errors and plain notices stay 4 s, successes 2 s, at most 20 at once. */
export const TOAST_MS = { error: 4000, blank: 4000, success: 2000 } as const;
export const TOASTS_MAX = 20;

export type ToastKind = keyof typeof TOAST_MS;
