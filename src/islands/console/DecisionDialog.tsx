import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Dialog } from '../ui/Dialog.tsx';
import { ReasonField, isReason } from './ReasonField.tsx';
import type { CommonReasons } from './reasons.ts';

interface DecisionDialogProps {
  title: string;
  effect: ReactNode;
  /** What the button says. */
  verb: string;
  /** The decision cannot be undone. */
  isFinal?: boolean;
  /** What the reason's field is called; null for a decision without a reason. */
  reasonLabel?: string | null;
  /** Common reasons, which can be edited. */
  reasons?: CommonReasons | undefined;
  isOpen: boolean;
  onClose: () => void;
  onSend: (reason: string) => Promise<void>;
}

/** Confirms a decision, and asks for its reason where one is needed. What was typed stays when sending fails. */
export function DecisionDialog({
  title,
  effect,
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
  const isComplete = reasonLabel === null || isReason(reason);
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
        <div className="grid gap-2">{effect}</div>
        {reasonLabel !== null && (
          <ReasonField
            id={`${id}-reason`}
            label={reasonLabel}
            reasons={reasons}
            reason={reason}
            onChange={setReason}
          />
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
