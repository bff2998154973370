import { useStore } from '@nanostores/react';
import { useId } from 'react';
import { $questions, type Question } from '../../stores/overlays/overlays.ts';
import { Dialog } from '../ui/Dialog.tsx';

/** The open questions. */
export function Questions() {
  return useStore($questions).map(({ id, content, close }) => (
    <QuestionDialog key={id} {...content} onAnswer={close} />
  ));
}

interface QuestionDialogProps extends Question {
  onAnswer: (isYes: boolean) => void;
}

/** The safe button comes first, so that it has focus. */
function QuestionDialog({ title, text, action, back = 'キャンセル', onAnswer }: QuestionDialogProps) {
  const id = useId();
  return (
    <Dialog role="alertdialog" titleId={`${id}title`} textId={`${id}text`} onClose={() => onAnswer(false)}>
      <h2 id={`${id}title`} className="text-lg">
        {title}
      </h2>
      <p id={`${id}text`}>{text}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={() => onAnswer(false)}>
          {back}
        </button>
        <button type="button" className="button button-primary" onClick={() => onAnswer(true)}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
