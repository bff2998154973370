import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef } from 'react';
import { $alerts } from '../../stores/overlays/overlays.ts';
import { toLanguage } from '../ui/FieldFrame.tsx';

/** The open alerts. On closing, the browser returns focus to the previous element. */
export function Alerts() {
  return useStore($alerts).map(({ id, content, close }) => (
    <AlertDialog key={id} message={content} onClose={close} />
  ));
}

function AlertDialog({ message, onClose }: { message: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const textId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      className="sheet"
      aria-labelledby={textId}
      onClose={() => onClose()}
    >
      <div className="grid gap-6 p-6">
        <p id={textId} className="whitespace-pre-line" lang={toLanguage(message)}>
          {message}
        </p>
        <form method="dialog" className="dialog-actions">
          <button className="button button-primary min-w-24">OK</button>
        </form>
      </div>
    </dialog>
  );
}
