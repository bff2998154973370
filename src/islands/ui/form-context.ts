import { type ReactNode, createContext, useContext } from 'react';
import type { FieldErrors } from '../../lib/form-state.ts';

interface FormFields {
  /** Of the form. */
  readonly id: string;
  readonly errors: FieldErrors;
  readonly isSending?: boolean;
}

/** Passed to the fields of a form. */
export const FormContext = createContext<FormFields>({ id: 'form', errors: {} });

/** A field's texts for `FieldFrame`, and `control` for its input. `ownError`: what the field itself finds. */
export function useField(name: string, hint?: ReactNode, ownError?: string) {
  const { id: formId, errors, isSending } = useContext(FormContext);
  const id = `${formId}-${name}`;
  const error = errors[name] ?? ownError;
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [hint ? hintId : '', error === undefined ? '' : errorId].filter(Boolean).join(' ');
  const described = { 'aria-describedby': describedBy || undefined, 'aria-invalid': error !== undefined };
  return { id, hint, hintId, error, errorId, isSending, described, control: { id, name, ...described } };
}
