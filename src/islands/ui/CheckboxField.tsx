import type { ReactNode } from 'react';
import { FieldError, RequiredMark } from './FieldFrame.tsx';
import { useField } from './form-context.ts';

interface CheckboxFieldProps {
  name: string;
  /** Set if a store has the answer. */
  answer?: { readonly isChecked: boolean; onChange(isChecked: boolean): void };
  /** Whether the box may stay empty. */
  isOptional?: boolean;
  children: ReactNode;
}

/** A consent. Never saved as a draft: it applies to one submission. */
export function CheckboxField({ name, answer, isOptional = false, children }: CheckboxFieldProps) {
  const { control, error, errorId } = useField(name);
  return (
    <div className="form-field">
      <label className="form-check">
        <input
          type="checkbox"
          required={!isOptional}
          {...control}
          {...(answer && {
            checked: answer.isChecked,
            onChange: (event) => answer.onChange(event.currentTarget.checked),
          })}
        />
        <span className="form-check-text">
          <span>{children}</span>
          {!isOptional && <RequiredMark />}
        </span>
      </label>
      <FieldError id={errorId} error={error} />
    </div>
  );
}
