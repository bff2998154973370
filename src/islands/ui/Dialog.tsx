import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Toast, $lastToast } from '../../stores/overlays/overlays.ts';
import { toLanguage } from './FieldFrame.tsx';

interface DialogProps {
  isOpen: boolean;
  /** Neither Escape nor a press beside it closes a dialog that waits for an answer. */
  isBlocked?: boolean;
  titleId: string;
  onClose: () => void;
  children: ReactNode;
}

/** A native modal dialog that a store opens and closes. The browser gives focus back on closing. */
export function Dialog({ isOpen, isBlocked = false, titleId, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={titleId}
      closedby={isBlocked ? 'none' : 'any'}
      // For browsers that do not know closedby: a second Escape would not ask.
      onKeyDown={(event) => {
        if (isBlocked && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        if (isBlocked) event.preventDefault();
      }}
      onClose={() => {
        // Told late of an earlier closing: it has been opened again since.
        if (dialog.current?.open) return;
        if (isOpen && isBlocked) dialog.current?.showModal();
        else if (isOpen) onClose();
      }}
    >
      {isOpen && <SpokenToasts />}
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}

/** Toasts lie outside: while a dialog is open, a screen reader hears nothing of them. */
function SpokenToasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => $lastToast.listen((toast) => toast && setToasts((before) => [...before, toast])), []);
  return (
    <div role="status" aria-atomic="false" className="sr-only">
      {toasts.map(({ id, message }) => (
        <p key={id} lang={toLanguage(message)}>
          {message}
        </p>
      ))}
    </div>
  );
}
