import { useEffect, useRef, useState } from 'react';
import { isComposing } from './send-keys.ts';

/**
 * Closes a dialog, which is blocked while something in it is not saved: then Escape and a press beside it come here as well.
 * `close` asks first. Returns what closes it.
 */
export function useClosing(isUnsaved: boolean, close: () => Promise<void>): () => void {
  const [isAsking, setAsking] = useState(false);
  const tryToClose = () => {
    setAsking(true);
    void close().finally(() => setAsking(false));
  };
  useClosingTries(isUnsaved && !isAsking, tryToClose);
  return tryToClose;
}

/** Handles Escape and presses beside the dialog: the browser fires no event for them while closing is blocked. */
function useClosingTries(isOn: boolean, onTry: () => void): void {
  const isPressedBeside = useRef(false);
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isComposing(event) || isInOtherDialog(event)) return;
      // The same press would close the question.
      event.preventDefault();
      onTry();
    };
    const onPress = (event: MouseEvent) => {
      isPressedBeside.current = isOutsideDialog(event) && !isInOtherDialog(event);
    };
    // After the press has ended; otherwise its end beside the question would close the question.
    const onClick = (event: MouseEvent) => {
      if (isPressedBeside.current && isOutsideDialog(event)) onTry();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('mousedown', onPress);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('mousedown', onPress);
      document.removeEventListener('click', onClick);
    };
  });
}

/** A dialog on top of the blocked one, such as the password prompt, closes by itself. */
function isInOtherDialog({ target }: Event): boolean {
  const dialog = target instanceof Element ? target.closest('dialog') : null;
  return dialog !== null && dialog.getAttribute('closedby') !== 'none';
}

/** A press on the dialog's scrollbar also has the dialog as its target. */
function isOutsideDialog({ target, clientX, clientY }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
