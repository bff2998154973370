import type { ToastKind } from '../lib/toast-times.ts';

/** Shows a short notice. The library behind it loads with the first one. */
export function showToast(kind: ToastKind, message: string): void {
  void import('../islands/ui/toaster.tsx').then(
    ({ raiseToast }) => raiseToast(kind, message),
    // Offline, and never shown before: there is nothing to show it with.
    (error: unknown) => console.error(message, error),
  );
}
