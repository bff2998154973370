import { createContext, useContext } from 'react';
import type { FieldErrors } from '../../lib/form-state.ts';

/** What the fields of a form are told: which form it is, and which of them are wrong. */
export const FormContext = createContext<{ readonly id: string; readonly errors: FieldErrors }>({
  id: 'form',
  errors: {},
});

/** A field's id, and how the texts about it are tied to it. */
export function useField(name: string, hint?: unknown) {
  const form = useContext(FormContext);
  const id = `${form.id}-${name}`;
  const error = form.errors[name];
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint ? hintId : '', error === undefined ? '' : errorId].filter(Boolean).join(' ');
  return {
    id,
    error,
    hintId,
    errorId,
    described: { 'aria-describedby': describedBy || undefined, 'aria-invalid': error !== undefined },
  };
}
