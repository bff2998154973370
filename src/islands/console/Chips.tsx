interface ChipsProps<Value extends string> {
  label: string;
  className?: string;
  choices: readonly (readonly [value: Value, name: string])[];
  chosen: Value;
  onChoose: (value: Value) => void;
}

/** One of a few choices, all of which are seen. */
export function Chips<Value extends string>({
  label,
  className = 'mb-4 flex flex-wrap gap-2',
  choices,
  chosen,
  onChoose,
}: ChipsProps<Value>) {
  return (
    <div className={className} role="group" aria-label={label}>
      {choices.map(([value, name]) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
