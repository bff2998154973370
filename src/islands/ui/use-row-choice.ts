import { type ChangeEvent, type KeyboardEvent, type MouseEvent, useRef } from 'react';

const BOXES = 'input[type=checkbox]:enabled';

/** The props of a row's check box. */
export type RowBox = ReturnType<ReturnType<typeof useRowChoice>>;

/**
 * Chooses rows of a list or table by their check boxes: with Shift also those between this row and the last one that
 * was pressed. Arrow keys move to the next box; with Shift they give it the state of this one. `ids`: the rows that can be
 * chosen; each has an enabled box.
 */
export function useRowChoice(
  ids: readonly string[],
  chosen: readonly string[],
  onChoose: (ids: readonly string[]) => void,
) {
  const last = useRef<string | null>(null);
  const isRange = useRef(false);

  function set(changed: readonly string[], isChosen: boolean): void {
    const others = chosen.filter((id) => !changed.includes(id));
    onChoose(isChosen ? [...others, ...changed] : others);
  }

  return (id: string) => ({
    checked: chosen.includes(id),
    onClick: ({ shiftKey }: MouseEvent) => void (isRange.current = shiftKey),
    onChange: ({ currentTarget: { checked } }: ChangeEvent<HTMLInputElement>) => {
      const here = ids.indexOf(id);
      const there = isRange.current && last.current !== null ? ids.indexOf(last.current) : -1;
      set(there < 0 ? [id] : ids.slice(Math.min(here, there), Math.max(here, there) + 1), checked);
      last.current = id;
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = ids[ids.indexOf(id) + step];
      if (next === undefined) return;
      const boxes = event.currentTarget.closest('ul, tbody')?.querySelectorAll<HTMLElement>(BOXES);
      boxes?.[ids.indexOf(next)]?.focus();
      if (event.shiftKey) set([next], event.currentTarget.checked);
      last.current = next;
    },
  });
}
