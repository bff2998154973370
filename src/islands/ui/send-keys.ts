import type { KeyboardEvent } from 'react';

/** Ctrl+Enter submits the form of a control; in a text area, Enter alone starts a line. */
export function sendOnCtrlEnter(
  event: KeyboardEvent<HTMLTextAreaElement | HTMLInputElement | HTMLSelectElement>,
): void {
  const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
  if (isSend && !isComposing(event.nativeEvent)) event.currentTarget.form?.requestSubmit();
}

/** Safari ends a composition before it fires the key that ended it; 229 is its key code. */
export function isComposing(event: globalThis.KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}
