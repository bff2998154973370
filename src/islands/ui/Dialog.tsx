import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { type Toast, $lastToast } from '../../stores/overlays/overlays.ts';
import { toLanguage } from './FieldFrame.tsx';
import { isBeside, usePressBeside } from './use-closing.ts';

interface DialogProps {
  isOpen?: boolean;
  /** An alert dialog closes by its buttons and Escape only. */
  role?: 'alertdialog';
  /** Whether a press beside the dialog closes it. */
  closesBeside?: boolean;
  /** While blocked, neither Escape nor a press beside the dialog closes it. */
  isBlocked?: boolean;
  /** The heading, unless the content has one with `titleId`. */
  title?: ReactNode;
  titleId?: string;
  textId?: string;
  bodyClass?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A native modal dialog that a store opens and closes. On closing, the browser returns focus. */
export function Dialog({
  isOpen = true,
  role,
  closesBeside = role === undefined,
  isBlocked = false,
  title,
  titleId: ownTitleId,
  textId,
  bodyClass = 'dialog-body',
  onClose,
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const titleId = ownTitleId ?? id;
  // Closes before React removes the element: the browser returns no focus from a dialog that is gone.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!isOpen || !element) return undefined;
    element.showModal();
    return () => element.close();
  }, [isOpen]);
  usePressBeside(
    isOpen && closesBeside && !isBlocked,
    (event) => event.target === dialog.current && isBeside(event),
    () => dialog.current?.close(),
  );
  return (
    <dialog
      ref={dialog}
      role={role}
      className="sheet"
      aria-labelledby={titleId}
      aria-describedby={textId}
      // Presses beside it are handled here: Firefox knows 'any' from 141 on, Safari from 27.3 on.
      closedby={isBlocked ? 'none' : 'closerequest'}
      // Browsers without closedby would close at the second Escape without asking.
      onKeyDown={(event) => {
        if (isBlocked && event.key === 'Escape') event.preventDefault();
      }}
      onCancel={(event) => {
        if (isBlocked) event.preventDefault();
      }}
      onClose={() => {
        // A late event of an earlier closing: the dialog has been reopened since.
        if (dialog.current?.open) return;
        if (isOpen && isBlocked) dialog.current?.showModal();
        else if (isOpen) onClose();
      }}
    >
      {isOpen && <SpokenToasts />}
      <div className={bodyClass}>
        {title !== undefined && (
          <h2 id={titleId} className="text-lg">
            {title}
          </h2>
        )}
        {children}
      </div>
    </dialog>
  );
}

/** A `ref` for the button that has focus first: React sets no `autofocus` attribute, which the browser looks for. */
export function focusFirst(button: HTMLButtonElement | null): void {
  button?.setAttribute('autofocus', '');
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
