import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { liftToasts } from '../../lib/plain-toast.ts';
import { estimateToastHeight, hasToastRoom } from '../../lib/toast-room.ts';
import { TOASTS_MAX, TOAST_MS } from '../../lib/toast-times.ts';
import { $waitingToasts, type Toast, takeToast } from '../../stores/overlays/overlays.ts';
import styles from '../../styles/toasts.css?inline';

/** The toasts on the screen that are not fading out. Toasts with the same key are one toast. */
const shown = new Map<string, { readonly id: string; readonly heightPx: number }>();
let raised = 0;
const toKey = ({ kind, message }: Toast) => `${kind}: ${message}`;

/** Shows waiting toasts in the layout's toast container, which survives navigations. */
export function Toaster() {
  const [place] = useState(() => document.getElementById('toasts'));
  useEffect(() => {
    adoptStyles();
    // A dialog that opens after the toasts would cover them.
    document.addEventListener('toggle', (event) => isOpening(event) && liftToasts(), true);
    return $waitingToasts.subscribe((waiting, before = []) => {
      if (waiting.length > before.length) liftToasts();
      showWaiting();
    });
  }, []);
  return (
    place &&
    createPortal(
      <Sonner
        position="top-center"
        theme="system"
        containerAriaLabel="お知らせ"
        visibleToasts={TOASTS_MAX}
        expand
        richColors
      />,
      place,
    )
  );
}

/** Adopted style sheets survive navigations; elements that scripts put into <head> do not. */
function adoptStyles(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  document.adoptedStyleSheets.push(sheet);
}

/**
 * Shows toasts while there is space. A toast that is raised again restarts its time, so ten uploads that finish one
 * after the other are one toast.
 */
function showWaiting(): void {
  for (const toast of $waitingToasts.get()) {
    const same = shown.get(toKey(toast));
    if (!same) continue;
    takeToast(toast);
    show(toast, same.id);
  }
  const viewport = { width: innerWidth, height: innerHeight };
  for (const toast of $waitingToasts.get()) {
    const heightPx = estimateToastHeight(toast.message, viewport);
    const shownPx = [...shown.values()].map((other) => other.heightPx);
    if (shown.size >= TOASTS_MAX || !hasToastRoom(shownPx, heightPx, viewport)) return;
    // The library treats an id that is fading out as the same toast, and shows nothing.
    const id = `${(raised += 1)}`;
    shown.set(toKey(toast), { id, heightPx });
    takeToast(toast);
    show(toast, id);
  }
}

function show(toast: Toast, id: string): void {
  const key = toKey(toast);
  const onLeave = () => {
    if (shown.get(key)?.id !== id) return;
    shown.delete(key);
    showWaiting();
  };
  const { kind, message } = toast;
  const options = { id, duration: TOAST_MS[kind], onAutoClose: onLeave, onDismiss: onLeave };
  if (kind === 'error') sonner.error(message, options);
  else if (kind === 'success') sonner.success(message, options);
  else sonner(message, options);
}

function isOpening({ target, newState }: ToggleEvent): boolean {
  return target instanceof HTMLDialogElement && newState === 'open';
}
