import { STAFF_REASON_LENGTH_MAX } from '../../../contract/operator/operator.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import type { CommonReasons } from './reasons.ts';

interface ReasonFieldProps {
  id: string;
  label: string;
  /** Common reasons, which can be edited. */
  reasons: CommonReasons | undefined;
  reason: string;
  /** Whether the first common reason has focus, and each shows the number that is its key. */
  hasKeys?: boolean;
  onChange: (reason: string) => void;
}

/** The reason of a decision: a common one, or typed. */
export function ReasonField({ id, label, reasons, reason, hasKeys = false, onChange }: ReasonFieldProps) {
  const common = Object.entries(reasons ?? {});
  return (
    <>
      {common.length > 0 && (
        <ul className="flex flex-wrap gap-2" aria-label="よくある理由">
          {common.map(([name, text], index) => (
            <li key={name}>
              <button
                ref={hasKeys && index === 0 ? focusOnMount : undefined}
                type="button"
                className="chip"
                aria-pressed={reason === text}
                onClick={() => onChange(text)}
              >
                {hasKeys && <kbd className="desk-key">{index + 1}</kbd>}
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <label className="form-label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="field form-area"
        rows={3}
        required
        value={reason}
        aria-describedby={`${id}-count`}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <CharacterCount
        id={`${id}-count`}
        length={countCharacters(reason)}
        lengthMax={STAFF_REASON_LENGTH_MAX}
      />
    </>
  );
}

/** Whether a reason can be sent. */
export function isReason(reason: string): boolean {
  const length = countCharacters(reason);
  return length > 0 && length <= STAFF_REASON_LENGTH_MAX;
}

function countCharacters(reason: string): number {
  return [...reason.trim()].length;
}
