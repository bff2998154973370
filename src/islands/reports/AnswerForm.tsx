import type { FormEvent } from 'react';
import { ANSWER_LENGTH_MAX } from '../../../contract/reports.ts';
import { formatCount } from '../../lib/format.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { FieldError, RequiredMark } from '../ui/FieldFrame.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { sendOnCtrlEnter } from '../ui/send-keys.ts';

interface AnswerFormProps {
  id: string;
  label: string;
  submitLabel: string;
  isSending: boolean;
  text: string;
  problems: readonly string[];
  /** False while something else is missing. */
  isReady?: boolean;
  onWrite: (text: string) => void;
  onSend: () => Promise<void>;
  onClose?: () => void;
}

/** The artist's only answer to a report, or to several. */
export function AnswerForm({ id, label, submitLabel, isReady = true, onClose, ...answer }: AnswerFormProps) {
  const { isSending, text, problems, onWrite, onSend } = answer;
  const length = [...text].length;
  const isOver = length > ANSWER_LENGTH_MAX;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onSend();
  };
  return (
    <form className="form" method="post" noValidate onSubmit={submit}>
      <div className="form-field">
        <label htmlFor={id} className="form-label">
          {label}
          <RequiredMark />
        </label>
        <p id={`${id}-hint`} className="form-hint">
          1回だけ送れます。運営者が読みます。報告した方には表示されません。
        </p>
        <textarea
          id={id}
          className="field form-area"
          rows={6}
          required
          readOnly={isSending}
          value={text}
          aria-describedby={`${id}-hint ${id}-count${isOver ? ` ${id}-error` : ''}`}
          aria-invalid={isOver}
          onChange={(event) => onWrite(event.currentTarget.value)}
          onKeyDown={sendOnCtrlEnter}
        />
        <CharacterCount id={`${id}-count`} length={length} lengthMax={ANSWER_LENGTH_MAX} />
        <FieldError
          id={`${id}-error`}
          error={isOver ? `${formatCount(length - ANSWER_LENGTH_MAX)}文字減らしてください。` : undefined}
        />
      </div>
      <div role="alert" className="contents">
        <ProblemNote problems={problems} />
      </div>
      <div className="dialog-actions">
        {onClose && (
          <button type="button" className="button" aria-disabled={isSending || undefined} onClick={onClose}>
            閉じる
          </button>
        )}
        <button
          type="submit"
          className="button button-primary"
          disabled={!isReady || text.trim() === '' || isOver}
          aria-disabled={isSending || undefined}
          aria-busy={isSending || undefined}
        >
          {isSending ? '送信中...' : submitLabel}
        </button>
      </div>
    </form>
  );
}
