import type { CSSProperties, ReactElement, ReactNode } from 'react';

/** The head of the column with the buttons of each row. */
export const ACTIONS = (
  <span key="actions" className="sr-only">
    操作
  </span>
);

/** The head of a column; an element has a key. */
type Column = string | ReactElement | { readonly number: string };

interface ConsoleTableProps {
  label: string;
  columns: readonly Column[];
  isBusy?: boolean;
  /** The rows. */
  children: ReactNode;
}

/** A table. Where it is too wide, it scrolls sideways; in a narrow window each row is a list with the columns' names. */
export function ConsoleTable({ label, columns, isBusy = false, children }: ConsoleTableProps) {
  return (
    <div className="console-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="console-table" style={toNames(columns)} aria-busy={isBusy || undefined}>
        <thead>
          <tr>
            {columns.map((column) =>
              isElement(column) ? (
                <th key={column.key} scope="col">
                  {column}
                </th>
              ) : (
                <th
                  key={toName(column)}
                  scope="col"
                  className={typeof column === 'string' ? undefined : 'console-number'}
                >
                  {toName(column)}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function isElement(column: Column): column is ReactElement {
  return typeof column === 'object' && 'type' in column;
}

function toName(column: string | { readonly number: string }): string {
  return typeof column === 'string' ? column : column.number;
}

/** The names of the columns for the style sheet, which shows them in the cells of a narrow window. */
function toNames(columns: readonly Column[]): CSSProperties {
  return Object.fromEntries(
    columns.flatMap((column, index) =>
      isElement(column) ? [] : [[`--column-${index + 1}`, JSON.stringify(toName(column))]],
    ),
  );
}

interface RowActionsProps {
  className?: string;
  /** What the actions are about, for screen readers: `「雨」を`. */
  of: string;
  actions: readonly {
    readonly text: string;
    /** For screen readers, after `of`; the text unless given. */
    readonly label?: string;
    readonly title?: string | undefined;
    readonly isOff?: boolean;
    readonly isMain?: boolean;
    readonly act: () => unknown;
  }[];
}

/** The buttons of a row or card. */
export function RowActions({ className = 'console-row-actions', of, actions }: RowActionsProps) {
  return (
    <div className={className}>
      {actions.map(({ text, label = text, title, isOff, isMain = false, act }) => (
        <button
          key={text}
          type="button"
          className={isMain ? 'button button-primary' : 'button'}
          aria-label={`${of}${label}`}
          title={title}
          disabled={isOff}
          onClick={() => void act()}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
