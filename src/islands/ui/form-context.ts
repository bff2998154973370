import { createContext, useContext } from 'react';
import type { FieldErrors } from '../../lib/form-state.ts';

interface FormFields {
  /** Of the form. */
  readonly id: string;
  readonly errors: FieldErrors;
  readonly isSending?: boolean;
}

/** Passed to the fields of a form. */
export const FormContext = createContext<FormFields>({ id: 'form', errors: {} });

/**
 * A field's id, its error, and the ARIA attributes that link hint and error to it. `ownError` is one that the field
 * finds itself.
 */
export function useField(name: string, hint?: unknown, ownError?: string) {
  const { id: formId, errors, isSending } = useContext(FormContext);
  const id = `${formId}-${name}`;
  const error = errors[name] ?? ownError;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint ? hintId : '', error === undefined ? '' : errorId].filter(Boolean).join(' ');
  return {
    id,
    error,
    hintId,
    errorId,
    isSending,
    described: { 'aria-describedby': describedBy || undefined, 'aria-invalid': error !== undefined },
  };
}
