import { useEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { toLanguage } from './FieldFrame.tsx';

/** Opens an alert; the browser gives focus back to where it was on closing. */
export function openAlert(message: string): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  root.render(
    <AlertDialog
      message={message}
      onClose={() => {
        root.unmount();
        place.remove();
      }}
    />,
  );
}

function AlertDialog({ message, onClose }: { message: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} role="alertdialog" className="sheet" aria-labelledby="alert-text" onClose={onClose}>
      <div className="grid gap-6 p-6">
        <p id="alert-text" className="whitespace-pre-line" lang={toLanguage(message)}>
          {message}
        </p>
        <form method="dialog" className="dialog-actions">
          <button className="button button-primary min-w-24">OK</button>
        </form>
      </div>
    </dialog>
  );
}
