import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { adoptStyles } from '../../browser/adopt-styles.ts';
import { TOASTS_MAX, TOAST_MS, liftToasts } from '../../browser/toasts.ts';
import { $lastToast, type Toast } from '../../stores/overlays/overlays.ts';
import styles from '../../styles/toasts.css?inline';

/** Shows toasts in the layout's toast container, which survives navigations. */
export function Toaster() {
  const [container] = useState(() => document.getElementById('toasts'));
  useEffect(() => {
    adoptStyles(styles);
    // A dialog that opens after the toasts would cover them.
    document.addEventListener('toggle', (event) => isOpening(event) && liftToasts(), true);
    return $lastToast.listen((toast) => toast && show(toast));
  }, []);
  return (
    container &&
    createPortal(
      <Sonner
        position="top-center"
        theme="system"
        containerAriaLabel="お知らせ"
        visibleToasts={TOASTS_MAX}
        // A touch does not open a stack.
        expand
        richColors
      />,
      container,
    )
  );
}

/** The ids of the toasts that are not fading out: the library shows nothing for an id that is. */
const visibleIds = new Map<string, number>();

/** A repeated toast restarts its time, so ten uploads that finish one after the other are one toast. */
function show({ id: ownId, kind, message }: Toast): void {
  const key = `${kind}: ${message}`;
  const id = visibleIds.get(key) ?? ownId;
  visibleIds.set(key, id);
  const forget = () => visibleIds.delete(key);
  const options = { id, duration: TOAST_MS[kind], onAutoClose: forget, onDismiss: forget };
  if (kind === 'error') sonner.error(message, options);
  else if (kind === 'success') sonner.success(message, options);
  else sonner(message, options);
  liftToasts();
}

function isOpening({ target, newState }: ToggleEvent): boolean {
  return target instanceof HTMLDialogElement && newState === 'open';
}
