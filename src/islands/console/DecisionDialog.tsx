import { type FormEvent, useId, useState } from 'react';
import { STAFF_REASON_LENGTH_MAX } from '../../../contract/operator.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface DecisionDialogProps {
  title: string;
  note: string;
  /** What the button says. */
  verb: string;
  needsReason: boolean;
  isOpen: boolean;
  onClose: () => void;
  onSend: (reason: string) => Promise<void>;
}

/** Confirms a decision about yen, and asks for its reason where one is needed. */
export function DecisionDialog({
  title,
  note,
  verb,
  needsReason,
  isOpen,
  onClose,
  onSend,
}: DecisionDialogProps) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const length = [...reason.trim()].length;
  const isComplete = !needsReason || (length > 0 && length <= STAFF_REASON_LENGTH_MAX);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    await onSend(needsReason ? reason.trim() : '');
    setSending(false);
  };
  return (
    <Dialog isOpen={isOpen} isBlocked={isSending} titleId={`${id}-title`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        <p>{note}</p>
        {needsReason && (
          <>
            <label className="form-label" htmlFor={`${id}-reason`}>
              理由（記録に残ります）
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
            className="button button-primary"
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
