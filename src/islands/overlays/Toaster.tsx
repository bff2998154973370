import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as Sonner, toast as sonner } from 'sonner';
import { adoptStyles } from '../../browser/adopt-styles.ts';
import { TOASTS_MAX, TOAST_MS, liftToasts } from '../../browser/toasts.ts';
import { $lastToast, type Toast } from '../../stores/overlays/overlays.ts';
import styles from '../../styles/toasts.css?inline';

/** Shows toasts in the layout's toast container, which survives navigations. */
export function Toaster() {
  const [place] = useState(() => document.getElementById('toasts'));
  useEffect(() => {
    adoptStyles(styles);
    // A dialog that opens after the toasts would cover them.
    document.addEventListener('toggle', (event) => isOpening(event) && liftToasts(), true);
    return $lastToast.listen((toast) => toast && show(toast));
  }, []);
  return (
    place &&
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
      place,
    )
  );
}

/** The ids of the toasts that are not fading out: the library shows nothing for an id that is. */
const shownIds = new Map<string, number>();

/** A toast that is raised again restarts its time, so ten uploads that finish one after the other are one toast. */
function show({ id: ownId, kind, message }: Toast): void {
  const key = `${kind}: ${message}`;
  const id = shownIds.get(key) ?? ownId;
  shownIds.set(key, id);
  const forget = () => shownIds.delete(key);
  const options = { id, duration: TOAST_MS[kind], onAutoClose: forget, onDismiss: forget };
  if (kind === 'error') sonner.error(message, options);
  else if (kind === 'success') sonner.success(message, options);
  else sonner(message, options);
  liftToasts();
}

function isOpening({ target, newState }: ToggleEvent): boolean {
  return target instanceof HTMLDialogElement && newState === 'open';
}
