interface ChoiceProps {
  label: string;
  isChosen: boolean;
  /** Nothing of it can be chosen. */
  isOff?: boolean;
  onChoose: (isChosen: boolean) => void;
}

/** The cell with which a row is chosen. */
export function RowChoice({ label, isChosen, isOff = false, onChoose }: ChoiceProps) {
  return (
    <td>
      <ChoiceBox {...{ label, isChosen, isOff, onChoose }} />
    </td>
  );
}

interface ChoiceOfAllProps {
  label: string;
  /** Keys of the rows that can be chosen. */
  all: readonly string[];
  chosen: readonly string[];
  onChoose: (keys: readonly string[]) => void;
}

/** What stands above the cells with which rows are chosen. */
export function ChoiceOfAll({ label, all, chosen, onChoose }: ChoiceOfAllProps) {
  return (
    <ChoiceBox
      label={label}
      text="すべて選ぶ"
      isChosen={all.length > 0 && all.every((key) => chosen.includes(key))}
      isOff={all.length === 0}
      onChoose={(isChosen) => onChoose(isChosen ? all : [])}
    />
  );
}

/** A box that chooses a row. */
export function ChoiceBox({
  label,
  text,
  isChosen,
  isOff = false,
  onChoose,
}: ChoiceProps & { readonly text?: string }) {
  return (
    <label className="console-check">
      <input
        type="checkbox"
        aria-label={label}
        checked={isChosen}
        disabled={isOff}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {text && <span aria-hidden="true">{text}</span>}
    </label>
  );
}

/** `chosen` with a key, or without it. */
export function toggle(chosen: readonly string[], key: string, isChosen: boolean): string[] {
  const others = chosen.filter((each) => each !== key);
  return isChosen ? [...others, key] : others;
}

/** Moves the focus to the next or previous row that can be chosen. */
export function focusRow(step: 1 | -1): void {
  const boxes = [...document.querySelectorAll<HTMLElement>('.console-table td > .console-check > :enabled')];
  const at = boxes.findIndex((box) => box.closest('tr')?.contains(document.activeElement));
  const next = at < 0 ? boxes[0] : boxes[at + step];
  next?.focus();
}
