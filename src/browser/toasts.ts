/** Spec §9: errors and plain notices stay 4 s, successes 2 s, at most 20 at once. */
export const TOAST_MS = { error: 4000, blank: 4000, success: 2000 } as const;
export const TOASTS_MAX = 20;

export type ToastKind = keyof typeof TOAST_MS;

/** Shows a notice with plain DOM, if the toaster does not load. */
export function showPlainToast(kind: ToastKind, message: string): void {
  const toast = document.createElement('p');
  toast.className = 'plain-toast';
  toast.role = 'alert';
  toast.textContent = message;
  document.getElementById('toasts')?.append(toast);
  liftToasts();
  setTimeout(() => toast.remove(), TOAST_MS[kind]);
}

/** Raises the toasts above an open dialog: the last element to enter the top layer is on top. */
export function liftToasts(): void {
  const container = document.getElementById('toasts');
  if (!container || !document.querySelector('dialog:modal')) return;
  if (container.matches(':popover-open')) container.hidePopover();
  container.showPopover();
}
