import type { ReactNode } from 'react';
import { FieldError } from '../ui/FieldFrame.tsx';

interface ChipFieldProps {
  id: string;
  label: string;
  hint?: string | undefined;
  problem: string | null;
  children: ReactNode;
}

/** Chips as a field with its problem. */
export function ChipField({ id, label, hint, problem, children }: ChipFieldProps) {
  return (
    <fieldset
      className="sound-genres"
      tabIndex={-1}
      data-wrong={problem === null ? undefined : ''}
      aria-describedby={problem === null ? undefined : `${id}-error`}
    >
      <legend className="form-label">{label}</legend>
      {hint !== undefined && <p className="form-hint">{hint}</p>}
      {children}
      <div role="alert" className="empty:hidden">
        <FieldError id={`${id}-error`} error={problem} />
      </div>
    </fieldset>
  );
}
