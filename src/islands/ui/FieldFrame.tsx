import type { ReactNode } from 'react';
import type { useField } from './form-context.ts';
import { Icon } from './Icon.tsx';

interface FieldFrameProps {
  field: ReturnType<typeof useField>;
  label: string;
  /** Whether the field may be empty. */
  isOptional?: boolean;
  children: ReactNode;
}

/** A field with its label and a hint above it. */
export function FieldFrame({ field, label, isOptional = false, children }: FieldFrameProps) {
  const { id, hint, hintId, error, errorId } = field;
  return (
    <div className="form-field">
      <label htmlFor={id} className="form-label">
        {label}
        {!isOptional && <RequiredMark />}
      </label>
      {hint && (
        <p id={hintId} className="form-hint">
          {hint}
        </p>
      )}
      {children}
      <FieldError id={errorId} error={error} />
    </div>
  );
}

/** Visual only; screen readers announce `required`. */
export function RequiredMark() {
  return (
    <span className="form-required" aria-hidden="true">
      必須
    </span>
  );
}

export function FieldError({ id, error }: { id?: string; error: string | null | undefined }) {
  if (error === undefined || error === null) return null;
  return (
    <p id={id} className="form-error" lang={toLanguage(error)}>
      <Icon name="warning" className="size-5 flex-none" />
      <span>{error}</span>
    </p>
  );
}

/** The language of a message for screen readers: some are English (spec §5). */
export function toLanguage(message: string): 'en' | undefined {
  return /^[\x20-\x7e]+$/.test(message) ? 'en' : undefined;
}
