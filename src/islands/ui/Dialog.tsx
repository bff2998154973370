import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Toast, $lastToast } from '../../stores/overlays/overlays.ts';
import { toLanguage } from './FieldFrame.tsx';

interface DialogProps {
  isOpen: boolean;
  /** While blocked, neither Escape nor a press beside the dialog closes it. */
  isBlocked?: boolean;
  titleId: string;
  onClose: () => void;
  children: ReactNode;
}

/** A native modal dialog that a store opens and closes. On closing, the browser returns focus. */
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
      // Browsers without closedby would close at the second Escape without asking.
      onKeyDown={(event) => {
        if (isBlocked && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        if (isBlocked) event.preventDefault();
      }}
      onClose={() => {
        // A late event of an earlier closing: the dialog has been opened again since.
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

/** Announces toasts inside the dialog: screen readers ignore everything outside an open dialog. */
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
