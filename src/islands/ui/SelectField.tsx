import { FieldFrame } from './FieldFrame.tsx';
import { useField } from './form-context.ts';

interface SelectFieldProps {
  name: string;
  label: string;
  /** Displayed while nothing is chosen. */
  placeholder: string;
  /** Values with their labels. */
  options: readonly (readonly [value: string, label: string])[];
  onChoose: (value: string) => void;
}

/** One of several choices. Uncontrolled like the other fields; a restored draft also calls `onChoose`. */
export function SelectField({ name, label, placeholder, options, onChoose }: SelectFieldProps) {
  const field = useField(name);
  return (
    <FieldFrame field={field} label={label}>
      <select
        className="field"
        required
        defaultValue=""
        data-draft=""
        {...field.control}
        onInput={(event) => onChoose(event.currentTarget.value)}
      >
        <option value="">{placeholder}</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
