import type { ReactNode } from 'react';

interface PlanFormProps {
  /** How many rows the button changes. */
  count: number;
  /** The label of that button. */
  label: string;
  /** The preview; `empty` is shown if there are no lines. */
  lines: readonly string[];
  empty: string;
  onApply: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Plans a change of several rows: its fields, a preview, and the button that closes the dialog and applies it. */
export function PlanForm({ count, label, lines, empty, onApply, onClose, children }: PlanFormProps) {
  return (
    <form
      className="sound-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (count === 0) return;
        onClose();
        onApply();
      }}
    >
      {children}
      <div className="dialog-actions sound-editor-actions">
        <PlanPreview lines={lines} empty={empty} />
        <button type="button" className="button" onClick={onClose}>
          閉じる
        </button>
        <button type="submit" className="button button-primary" disabled={count === 0}>
          {label}
        </button>
      </div>
    </form>
  );
}

/** Always in view above the buttons. */
function PlanPreview({ lines, empty }: { lines: readonly string[]; empty: string }) {
  return (
    <div className="many-preview" role="region" aria-label="変更の内容" tabIndex={0}>
      {lines.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={line} className="wrap-anywhere">
              {line}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
