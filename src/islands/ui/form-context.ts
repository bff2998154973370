import { createContext, useContext } from 'react';
import type { FieldErrors } from '../../lib/form-state.ts';

/** Passed to the fields of a form: the form's id, and the errors by field. */
export const FormContext = createContext<{ readonly id: string; readonly errors: FieldErrors }>({
  id: 'form',
  errors: {},
});

/** A field's id, its error, and the ARIA attributes that link hint and error to it. */
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
