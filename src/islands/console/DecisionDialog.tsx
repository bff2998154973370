import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { STAFF_REASON_LENGTH_MAX } from '../../../contract/operator/operator.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import type { CommonReason } from './reasons.ts';

interface DecisionDialogProps {
  title: string;
  note: ReactNode;
  /** What the button says. */
  verb: string;
  /** The decision cannot be undone. */
  isFinal?: boolean;
  /** What the reason's field is called; null for a decision without a reason. */
  reasonLabel?: string | null;
  /** Common reasons, which can be edited. */
  reasons?: readonly CommonReason[];
  isOpen: boolean;
  onClose: () => void;
  onSend: (reason: string) => Promise<void>;
}

/** Confirms a decision, and asks for its reason where one is needed. What was typed stays when sending fails. */
export function DecisionDialog({
  title,
  note,
  verb,
  isFinal = false,
  reasonLabel = '理由',
  reasons,
  isOpen,
  onClose,
  onSend,
}: DecisionDialogProps) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const length = [...reason.trim()].length;
  const isComplete = reasonLabel === null || (length > 0 && length <= STAFF_REASON_LENGTH_MAX);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    await onSend(reason.trim());
    setSending(false);
  };
  return (
    <Dialog isOpen={isOpen} isBlocked={isSending} titleId={`${id}-title`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        <div className="grid gap-2">{note}</div>
        {reasons !== undefined && reasons.length > 0 && (
          <ul className="flex flex-wrap gap-2" aria-label="よくある理由">
            {reasons.map(({ name, text }) => (
              <li key={name}>
                <button
                  type="button"
                  className="chip"
                  aria-pressed={reason === text}
                  onClick={() => setReason(text)}
                >
                  {name}
                </button>
              </li>
            ))}
          </ul>
        )}
        {reasonLabel !== null && (
          <>
            <label className="form-label" htmlFor={`${id}-reason`}>
              {reasonLabel}
            </label>
            <textarea
              id={`${id}-reason`}
              className="field form-area"
              rows={3}
              required
              value={reason}
              aria-describedby={`${id}-count`}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            <CharacterCount id={`${id}-count`} length={length} lengthMax={STAFF_REASON_LENGTH_MAX} />
          </>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" disabled={isSending} onClick={onClose}>
            やめる
          </button>
          <button
            className={isFinal ? 'button console-final' : 'button button-primary'}
            disabled={!isComplete || isSending}
            aria-busy={isSending || undefined}
          >
            {verb}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
