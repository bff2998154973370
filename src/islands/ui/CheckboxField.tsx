import { type ReactNode } from 'react';
import { FieldError, RequiredMark } from './FieldFrame.tsx';
import { useField } from './form-context.ts';

/** Something to agree to. Never kept as a draft: consent is given for this sending. */
export function CheckboxField({ name, children }: { name: string; children: ReactNode }) {
  const { id, described, error, errorId } = useField(name);
  return (
    <div className="form-field">
      <label className="form-check">
        <input id={id} type="checkbox" name={name} required {...described} />
        <span className="form-check-text">
          <span>{children}</span>
          <RequiredMark />
        </span>
      </label>
      <FieldError id={errorId} error={error} />
    </div>
  );
}
