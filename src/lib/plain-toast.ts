import { TOAST_MS, type ToastKind } from './toast-times.ts';

/** Shows a notice with plain DOM, if the toaster does not load. */
export function showPlainToast(kind: ToastKind, message: string): void {
  const note = document.createElement('p');
  note.className = 'plain-toast';
  note.role = 'alert';
  note.textContent = message;
  document.getElementById('toasts')?.append(note);
  liftToasts();
  setTimeout(() => note.remove(), TOAST_MS[kind]);
}

/** Raises the toasts above an open dialog: the last element to enter the top layer is on top. */
export function liftToasts(): void {
  const place = document.getElementById('toasts');
  if (!place || !document.querySelector('dialog:modal')) return;
  if (place.matches(':popover-open')) place.hidePopover();
  place.showPopover();
}
