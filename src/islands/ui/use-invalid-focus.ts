import { type RefObject, useEffect } from 'react';

/** Moves focus to the first invalid field after each refusal. */
export function useInvalidFocus(form: RefObject<HTMLElement | null>, attempt: number): void {
  useEffect(() => {
    if (attempt > 0) focusInvalid(form.current);
  }, [form, attempt]);
}

/** Buttons and groups of chips cannot be `aria-invalid`. */
export function focusInvalid(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], :is(button, fieldset)[data-wrong]')?.focus();
}
