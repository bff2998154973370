import type { KeyboardEvent } from 'react';

/** Ctrl+Enter sends the form of a text area, where Enter alone begins a line. */
export function sendOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
  if (isSend && !event.nativeEvent.isComposing) event.currentTarget.form?.requestSubmit();
}
