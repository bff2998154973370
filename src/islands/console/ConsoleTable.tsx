import type { ReactElement, ReactNode } from 'react';

/** The head of the column with the buttons of each row. */
export const ACTIONS = (
  <span key="actions" className="sr-only">
    操作
  </span>
);

interface ConsoleTableProps {
  label: string;
  /** What stands above each column; an element has a key. */
  columns: readonly (string | ReactElement | { readonly number: string })[];
  isBusy?: boolean;
  /** The rows. */
  children: ReactNode;
}

/** A table that scrolls sideways where it is too wide. */
export function ConsoleTable({ label, columns, isBusy = false, children }: ConsoleTableProps) {
  return (
    <div className="console-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="console-table" aria-busy={isBusy || undefined}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'object' && 'number' in column ? (
                <th key={column.number} scope="col" className="console-number">
                  {column.number}
                </th>
              ) : (
                <th key={typeof column === 'string' ? column : column.key} scope="col">
                  {column}
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
