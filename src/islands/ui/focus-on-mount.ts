/** A `ref` for the element that has focus from its first render on. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
