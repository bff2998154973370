import type { ComponentProps } from 'react';

interface ChoiceProps extends ComponentProps<'input'> {
  label: string;
  text?: string;
}

/** The cell with which a row is chosen; the box takes what `useRowChoice` gives. */
export function RowChoice(choice: ChoiceProps) {
  return (
    <td>
      <ChoiceBox {...choice} />
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

/** The head of the column with which rows are chosen. */
export function ChoiceOfAll({ label, all, chosen, onChoose }: ChoiceOfAllProps) {
  return (
    <ChoiceBox
      label={label}
      text="すべて選ぶ"
      checked={all.length > 0 && all.every((key) => chosen.includes(key))}
      disabled={all.length === 0}
      onChange={(event) => onChoose(event.currentTarget.checked ? all : [])}
    />
  );
}

/** A box that chooses a row. */
export function ChoiceBox({ label, text, ...box }: ChoiceProps) {
  return (
    <label className="console-check">
      <input type="checkbox" aria-label={label} {...box} />
      {text && <span aria-hidden="true">{text}</span>}
    </label>
  );
}

/** Moves the focus to the next or previous row that can be chosen. */
export function focusRow(step: 1 | -1): void {
  const boxes = [...document.querySelectorAll<HTMLElement>('.console-table td > .console-check > :enabled')];
  const at = boxes.findIndex((box) => box.closest('tr')?.contains(document.activeElement));
  const next = at < 0 ? boxes[0] : boxes[at + step];
  next?.focus();
}
