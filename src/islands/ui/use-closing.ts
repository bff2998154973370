import { useEffect, useRef, useState } from 'react';
import { isComposing } from './send-keys.ts';

/**
 * Returns the function that closes a dialog; `close` asks first. While the dialog has unsaved content, Escape and a
 * press beside it call this function as well.
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

/** Handles Escape and presses beside the dialog while closing is blocked: the browser fires no event for them. */
function useClosingTries(isOn: boolean, onTry: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isComposing(event) || isInOtherDialog(event)) return;
      // The same press would close the question.
      event.preventDefault();
      onTry();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  usePressBeside(isOn, (event) => !isInOtherDialog(event) && isBeside(event), onTry);
}

/**
 * Calls `onPress` after a press that has begun and ended beside a dialog. Not when the press begins: it would then end
 * beside the question that `onPress` may open.
 */
export function usePressBeside(
  isOn: boolean,
  isPressed: (event: MouseEvent) => boolean,
  onPress: () => void,
): void {
  const hasBegun = useRef(false);
  useEffect(() => {
    if (!isOn) return undefined;
    const onDown = (event: MouseEvent) => (hasBegun.current = isPressed(event));
    const onClick = (event: MouseEvent) => {
      if (hasBegun.current && isPressed(event)) onPress();
    };
    document.addEventListener('mousedown', onDown);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('mousedown', onDown);
      document.removeEventListener('click', onClick);
    };
  });
}

/** A dialog on top of the blocked one, such as the password prompt, closes by itself. */
function isInOtherDialog({ target }: Event): boolean {
  const dialog = target instanceof Element ? target.closest('dialog') : null;
  return dialog !== null && dialog.getAttribute('closedby') !== 'none';
}

/** Whether a press is beside the dialog that is its target. Presses on its scrollbar have the same target. */
export function isBeside({ target, clientX, clientY }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
