import { TOAST_MS, type ToastKind } from './toast-times.ts';

/** Shows a notice by the page alone, where the toaster does not load. */
export function showPlainToast(kind: ToastKind, message: string): void {
  const note = document.createElement('p');
  note.className = 'plain-toast';
  note.role = 'alert';
  note.textContent = message;
  document.getElementById('toasts')?.append(note);
  liftToasts();
  setTimeout(() => note.remove(), TOAST_MS[kind]);
}

/** Puts the toasts above an open dialog: what enters the top layer last lies on top. */
export function liftToasts(): void {
  const place = document.getElementById('toasts');
  if (!place || !document.querySelector('dialog:modal')) return;
  if (place.matches(':popover-open')) place.hidePopover();
  place.showPopover();
}
