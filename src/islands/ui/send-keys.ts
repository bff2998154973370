import type { KeyboardEvent } from 'react';

/** Ctrl+Enter submits the form of a control; in a text area, Enter alone starts a line. */
export function sendOnCtrlEnter(
  event: KeyboardEvent<HTMLTextAreaElement | HTMLInputElement | HTMLSelectElement>,
): void {
  const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
  // Safari ends a composition before it fires the Enter that ended it; 229 is its key code.
  const isComposing = event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229;
  if (isSend && !isComposing) event.currentTarget.form?.requestSubmit();
}
