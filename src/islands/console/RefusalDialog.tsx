import { type FormEvent, useId, useState } from 'react';
import { STAFF_REASON_LENGTH_MAX } from '../../../contract/operator.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { Dialog } from '../ui/Dialog.tsx';

interface RefusalDialogProps {
  title: string;
  note: string;
  isOpen: boolean;
  onClose: () => void;
  onSend: (reason: string) => Promise<void>;
}

/** Asks for the reason of a refusal, which the member reads. What was typed stays when sending fails. */
export function RefusalDialog({ title, note, isOpen, onClose, onSend }: RefusalDialogProps) {
  const id = useId();
  const [reason, setReason] = useState('');
  const [isSending, setSending] = useState(false);
  const length = [...reason.trim()].length;
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
        <p>{note}</p>
        <label className="form-label" htmlFor={`${id}-reason`}>
          理由
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
        <div className="dialog-actions">
          <button type="button" className="button" disabled={isSending} onClick={onClose}>
            やめる
          </button>
          <button
            className="button button-primary"
            disabled={length === 0 || length > STAFF_REASON_LENGTH_MAX || isSending}
            aria-busy={isSending || undefined}
          >
            却下する
          </button>
        </div>
      </form>
    </Dialog>
  );
}
