import type { FormEvent } from 'react';
import { ANSWER_LENGTH_MAX } from '../../../contract/reports.ts';
import { formatCount } from '../../lib/format.ts';
import { closeReport, sendAnswer, writeAnswer } from '../../stores/reports/reports.ts';
import { CharacterCount } from '../ui/CharacterCount.tsx';
import { FieldError, RequiredMark } from '../ui/FieldFrame.tsx';
import { ProblemNote } from '../ui/ProblemNote.tsx';
import { sendOnCtrlEnter } from '../ui/send-keys.ts';

interface AnswerFormProps {
  isSending: boolean;
  text: string;
  problems: readonly string[];
}

/** The artist's only answer to a report. */
export function AnswerForm({ isSending, text, problems }: AnswerFormProps) {
  const length = [...text].length;
  const isOver = length > ANSWER_LENGTH_MAX;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void sendAnswer();
  };
  return (
    <form className="form" method="post" noValidate onSubmit={submit}>
      <div className="form-field">
        <label htmlFor="report-answer" className="form-label">
          回答
          <RequiredMark />
        </label>
        <p id="report-answer-hint" className="form-hint">
          1回だけ送れます。運営者が読みます。報告した方には表示されません。
        </p>
        <textarea
          id="report-answer"
          className="field form-area"
          rows={6}
          required
          readOnly={isSending}
          value={text}
          aria-describedby={`report-answer-hint report-answer-count${isOver ? ' report-answer-error' : ''}`}
          aria-invalid={isOver}
          onChange={(event) => writeAnswer(event.currentTarget.value)}
          onKeyDown={sendOnCtrlEnter}
        />
        <CharacterCount id="report-answer-count" length={length} lengthMax={ANSWER_LENGTH_MAX} />
        <FieldError
          id="report-answer-error"
          error={isOver ? `${formatCount(length - ANSWER_LENGTH_MAX)}文字減らしてください。` : undefined}
        />
      </div>
      <div role="alert" className="contents">
        <ProblemNote problems={problems} />
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" aria-disabled={isSending || undefined} onClick={closeReport}>
          閉じる
        </button>
        <button
          type="submit"
          className="button button-primary"
          disabled={text.trim() === '' || isOver}
          aria-disabled={isSending || undefined}
          aria-busy={isSending || undefined}
        >
          {isSending ? '送信中...' : '回答を送信する'}
        </button>
      </div>
    </form>
  );
}
