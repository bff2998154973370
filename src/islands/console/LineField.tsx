import type { InputHTMLAttributes } from 'react';
import { FieldFrame } from '../ui/FieldFrame.tsx';
import { useField } from '../ui/form-context.ts';

interface LineFieldProps extends Pick<InputHTMLAttributes<HTMLInputElement>, 'type' | 'inputMode'> {
  name: string;
  label: string;
  hint?: string;
  value: string;
  isOptional?: boolean;
  onChange: (value: string) => void;
}

/** One line of a form of the console, whose text a store holds. */
export function LineField({
  name,
  label,
  hint,
  value,
  isOptional = false,
  onChange,
  ...input
}: LineFieldProps) {
  const { id, described, ...texts } = useField(name, hint);
  return (
    <FieldFrame id={id} label={label} hint={hint} isOptional={isOptional} {...texts}>
      <input
        id={id}
        className="field"
        required={!isOptional}
        autoComplete="off"
        value={value}
        {...described}
        {...input}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </FieldFrame>
  );
}
