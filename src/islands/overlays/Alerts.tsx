import { useId } from 'react';
import { $alerts } from '../../stores/overlays/overlays.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { toLanguage } from '../ui/FieldFrame.tsx';
import { useStore } from '../ui/use-store.ts';

/** The open alerts. */
export function Alerts() {
  return useStore($alerts).map(({ id, content, close }) => (
    <AlertDialog key={id} message={content} onClose={close} />
  ));
}

function AlertDialog({ message, onClose }: { message: string; onClose: () => void }) {
  const textId = useId();
  return (
    <Dialog role="alertdialog" titleId={textId} onClose={onClose}>
      <p id={textId} className="mb-2 whitespace-pre-line" lang={toLanguage(message)}>
        {message}
      </p>
      <div className="dialog-actions">
        <button type="button" className="button button-primary min-w-24" onClick={onClose}>
          OK
        </button>
      </div>
    </Dialog>
  );
}
