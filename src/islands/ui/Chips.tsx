export interface ChoiceChipsProps<Value extends string> {
  /** The label of the group; absent inside a fieldset. */
  label?: string;
  className?: string;
  /** Values with their texts. */
  choices: readonly (readonly [value: Value, text: string])[];
  chosen: readonly string[];
  isOff?: boolean;
  onToggle: (value: Value) => void;
}

/** Chips that a press selects or deselects. */
export function ChoiceChips<Value extends string>({
  label,
  className = 'flex flex-wrap gap-2',
  choices,
  chosen,
  isOff = false,
  onToggle,
}: ChoiceChipsProps<Value>) {
  return (
    <div className={className} role={label === undefined ? undefined : 'group'} aria-label={label}>
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

interface ChipsProps<Value extends string> extends Pick<ChoiceChipsProps<Value>, 'className' | 'choices'> {
  label: string;
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** Chips of which one is selected. */
export function Chips<Value extends string>({
  className = 'mb-4 flex flex-wrap gap-2',
  chosen,
  onChoose,
  ...chips
}: ChipsProps<Value>) {
  return <ChoiceChips {...chips} className={className} chosen={[chosen]} onToggle={onChoose} />;
}
