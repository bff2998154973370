import { useId } from 'react';
import { $questions, type Question } from '../../stores/overlays/overlays.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { useStore } from '../ui/use-store.ts';

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
  const textId = useId();
  return (
    <Dialog role="alertdialog" title={title} textId={textId} onClose={() => onAnswer(false)}>
      <p id={textId}>{text}</p>
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
