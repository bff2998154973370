let isActive = false;

/** Tracks input methods, also in a field whose island is not hydrated. */
export function watchComposition(): void {
  for (const type of ['compositionstart', 'compositionend'])
    document.addEventListener(type, () => (isActive = type === 'compositionstart'));
}

/** Whether an input method composes text. */
export function isComposing(): boolean {
  return isActive;
}
