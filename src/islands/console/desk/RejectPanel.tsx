import { useEffect, useEffectEvent, useState } from 'react';
import { ReasonField, isReason } from '../ReasonField.tsx';
import type { CommonReasons } from '../reasons.ts';

interface RejectPanelProps {
  /** What a rejection is called: `不合格`. */
  outcome: string;
  reasons: CommonReasons;
  /** What the panel shows first: the reason of a rejection that was taken back. */
  first: string;
  onSend: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of a rejection: a number chooses a common one, which can be edited. */
export function RejectPanel({ outcome, reasons, first: firstReason, onSend, onClose }: RejectPanelProps) {
  const [reason, setReason] = useState(firstReason);
  const canSend = isReason(reason);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLTextAreaElement;
    const chosen = isTyping ? undefined : Object.values(reasons)[Number(event.key) - 1];
    if (event.key === 'Escape') onClose();
    else if (chosen) setReason(chosen);
    else if (!isTyping && event.key.toLowerCase() === 'r' && canSend) onSend(reason.trim());
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    document.addEventListener('keydown', press, true);
    return () => document.removeEventListener('keydown', press, true);
  }, []);
  return (
    <section className="panel desk-reject" aria-labelledby="reject-title">
      <h2 id="reject-title" className="text-lg">
        {outcome}の理由
      </h2>
      <p className="text-sm text-muted">メールとプロフィールで本人に伝わります。</p>
      <ReasonField
        id="reject-reason"
        label="本人に伝える文章"
        reasons={reasons}
        reason={reason}
        hasKeys
        onChange={setReason}
      />
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className="button button-primary"
          disabled={!canSend}
          onClick={() => onSend(reason.trim())}
        >
          <kbd className="desk-key">R</kbd>
          {outcome}にする
        </button>
        <button type="button" className="button" onClick={onClose}>
          <kbd className="desk-key">Esc</kbd>
          やめる
        </button>
      </div>
    </section>
  );
}
