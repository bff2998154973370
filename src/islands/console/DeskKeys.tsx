import type { ReactNode } from 'react';

/** An action of a desk. */
export interface DeskKey {
  /** In lower case, as in `KeyboardEvent.key`. */
  readonly key: string;
  readonly name: string;
  readonly isOff?: boolean;
  readonly isMain?: boolean;
  readonly act: () => void;
}

/** The actions of a desk, with their keys, which the left hand reaches. */
export function DeskKeys({ keys, hint }: { keys: readonly DeskKey[]; hint?: ReactNode }) {
  return (
    <div className="desk-actions" role="group" aria-label="操作">
      {keys.map(({ key, name, isOff = false, isMain = false, act }) => {
        const label = key === ' ' ? 'Space' : key.toUpperCase();
        return (
          <button
            key={key}
            type="button"
            className={isMain ? 'button button-primary' : 'button'}
            disabled={isOff}
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
