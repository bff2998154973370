import type { ReactNode } from 'react';
import { ANSWER_LENGTH_MAX } from '../../../contract/reports.ts';
import type { FormLogic } from '../../lib/form-state.ts';
import { Form } from '../ui/Form.tsx';
import { TextAreaField } from '../ui/TextAreaField.tsx';
import { useStore } from '../ui/use-store.ts';

interface AnswerFormProps {
  id: string;
  logic: FormLogic;
  label: string;
  submitLabel: string;
  /** False while something else is missing. */
  isReady?: boolean;
  actions: ReactNode;
}

/** The artist's only answer to a report, or to several. */
export function AnswerForm({ label, isReady = true, ...form }: AnswerFormProps) {
  const isValid = useStore(form.logic.$isValid);
  return (
    <Form {...form} isReady={isReady && isValid} busyLabel="送信中...">
      <TextAreaField
        name="text"
        label={label}
        hint="1回だけ送れます。運営者が読みます。報告した方には表示されません。"
        lengthMax={ANSWER_LENGTH_MAX}
      />
    </Form>
  );
}
