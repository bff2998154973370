import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** What stands on the button that goes on. */
  readonly action: string;
}

const YES = 'yes';

/** Opens a question and tells whether the answer is to go on; Escape means no. */
export function openQuestion(question: Question): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    root.render(
      <QuestionDialog
        {...question}
        onAnswer={(isYes) => {
          root.unmount();
          place.remove();
          resolve(isYes);
        }}
      />,
    );
  });
}

/** The button that loses nothing stands first, so that it has focus. */
function QuestionDialog({
  title,
  text,
  action,
  onAnswer,
}: Question & { onAnswer: (isYes: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      className="sheet"
      aria-labelledby="question-title"
      aria-describedby="question-text"
      onClose={(event) => onAnswer(event.currentTarget.returnValue === YES)}
    >
      <form method="dialog" className="grid gap-4 p-6">
        <h2 id="question-title" className="text-lg">
          {title}
        </h2>
        <p id="question-text">{text}</p>
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
