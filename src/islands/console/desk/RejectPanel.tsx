import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { STAFF_REASON_LENGTH_MAX } from '../../../../contract/operator/operator.ts';
import { CharacterCount } from '../../ui/CharacterCount.tsx';
import type { CommonReason } from '../reasons.ts';

interface RejectPanelProps {
  /** What a rejection is called: `不合格`. */
  outcome: string;
  reasons: readonly CommonReason[];
  /** What the panel shows first: the reason of a rejection that was taken back. */
  first: string;
  onSend: (reason: string) => void;
  onClose: () => void;
}

/** Asks for the reason of a rejection: a number chooses a common one, which can be edited. */
export function RejectPanel({ outcome, reasons, first: firstReason, onSend, onClose }: RejectPanelProps) {
  const [reason, setReason] = useState(firstReason);
  const first = useRef<HTMLButtonElement>(null);
  const length = [...reason.trim()].length;
  const canSend = length > 0 && length <= STAFF_REASON_LENGTH_MAX;
  useEffect(() => first.current?.focus(), []);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const isTyping = event.target instanceof HTMLTextAreaElement;
    const chosen = isTyping ? undefined : reasons[Number(event.key) - 1];
    if (event.key === 'Escape') onClose();
    else if (chosen) setReason(chosen.text);
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
      <ul className="flex flex-wrap gap-2" aria-label="よくある理由">
        {reasons.map(({ name, text }, index) => (
          <li key={name}>
            <button
              ref={index === 0 ? first : undefined}
              type="button"
              className="chip"
              aria-pressed={reason === text}
              onClick={() => setReason(text)}
            >
              <kbd className="desk-key">{index + 1}</kbd>
              {name}
            </button>
          </li>
        ))}
      </ul>
      <label className="form-label" htmlFor="reject-reason">
        本人に伝える文章
      </label>
      <textarea
        id="reject-reason"
        className="field form-area"
        rows={3}
        value={reason}
        aria-describedby="reject-count"
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <CharacterCount id="reject-count" length={length} lengthMax={STAFF_REASON_LENGTH_MAX} />
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
