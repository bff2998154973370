import type { ReactNode } from 'react';
import { FieldError } from '../ui/FieldFrame.tsx';

export interface ChoiceChipsProps {
  /** Values with their texts. */
  choices: readonly (readonly [value: string, text: string])[];
  chosen: readonly string[];
  isOff?: boolean;
  onToggle: (value: string) => void;
}

/** Chips of which a press chooses one or removes it. */
export function ChoiceChips({ choices, chosen, isOff = false, onToggle }: ChoiceChipsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      {choices.map(([value, text]) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={chosen.includes(value)}
          aria-disabled={isOff || undefined}
          onClick={() => onToggle(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}

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
