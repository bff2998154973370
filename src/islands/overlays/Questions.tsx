import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { $questions } from '../../stores/overlays/overlays.ts';

const YES = 'yes';

/** The open questions. */
export function Questions() {
  return useStore($questions).map(({ id, content, close }) => (
    <QuestionDialog key={id} {...content} onAnswer={close} />
  ));
}

interface QuestionDialogProps {
  title: string;
  text: string;
  action: string;
  onAnswer: (isYes: boolean) => void;
}

/** The safe button comes first, so that it has focus. */
function QuestionDialog({ title, text, action, onAnswer }: QuestionDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      className="sheet"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}text`}
      onClose={(event) => onAnswer(event.currentTarget.returnValue === YES)}
    >
      <form method="dialog" className="grid gap-4 p-6">
        <h2 id={`${id}title`} className="text-lg">
          {title}
        </h2>
        <p id={`${id}text`}>{text}</p>
        <div className="dialog-actions">
          <button className="button">キャンセル</button>
          <button className="button button-primary" value={YES}>
            {action}
          </button>
        </div>
      </form>
    </dialog>
  );
}
