import { atom } from 'nanostores';
import { showPlainToast } from '../../lib/plain-toast.ts';
import type { ToastKind } from '../../lib/toast-times.ts';

export interface Toast {
  readonly id: number;
  readonly message: string;
}

/** The notice that was raised last, for where it cannot be heard otherwise. */
export const $lastToast = atom<Toast | null>(null);

/** Shows a short notice. The library behind it loads with the first one. */
export function showToast(kind: ToastKind, message: string): void {
  $lastToast.set({ id: ($lastToast.get()?.id ?? 0) + 1, message });
  void import('../../islands/ui/toaster.tsx').then(
    ({ raiseToast }) => raiseToast(kind, message),
    () => showPlainToast(kind, message),
  );
}
