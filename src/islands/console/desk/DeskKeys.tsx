import type { ReactNode } from 'react';

/** An action of a desk. */
export interface DeskKey {
  /** In lower case, as in `KeyboardEvent.key`. */
  readonly key: string;
  readonly name: string;
  /** Why it has no effect now, as the answer to a press of its key; undefined or '' if it has one. */
  readonly off?: string | undefined;
  readonly isMain?: boolean;
  readonly act: () => void;
}

interface DeskKeysProps {
  keys: readonly DeskKey[];
  /** See `useDeskKeys`. */
  answer: string;
  /** What the actions are about. */
  summary?: string;
  hint?: ReactNode;
}

/** The actions of a desk, with their keys, which the left hand reaches. */
export function DeskKeys({ keys, answer, summary, hint }: DeskKeysProps) {
  return (
    <div className="panel desk-actions" role="group" aria-label="操作">
      <p className="desk-answer" role="status">
        {answer}
      </p>
      {summary && <p className="desk-summary">{summary}</p>}
      {keys.map(({ key, name, off, isMain = false, act }) => {
        const label = key === ' ' ? 'Space' : key.toUpperCase();
        return (
          <button
            key={key}
            type="button"
            className={isMain ? 'button button-primary' : 'button'}
            disabled={Boolean(off)}
            aria-keyshortcuts={label}
            onClick={act}
          >
            <kbd className="desk-key">{label}</kbd>
            {name}
          </button>
        );
      })}
      {hint && <p className="desk-hint">{hint}</p>}
    </div>
  );
}
