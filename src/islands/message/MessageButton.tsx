import { useState } from 'react';
import type { Recipient } from '../../stores/messages/messages.ts';
import { Icon } from '../ui/Icon.tsx';

type MessageDialog = typeof import('./MessageDialog.tsx').MessageDialog;

/** Opens the dialog that writes to an artist. Its code loads with the first press. */
export function MessageButton({ recipient }: { recipient: Recipient }) {
  const [isOpen, setOpen] = useState(false);
  const [Dialog, setDialog] = useState<MessageDialog | null>(null);
  const open = () => {
    setOpen(true);
    if (Dialog) return;
    void import('./MessageDialog.tsx').then(
      ({ MessageDialog }) => setDialog(() => MessageDialog),
      (error: unknown) => {
        // The user has been notified; the next press retries.
        console.warn(error);
        setOpen(false);
      },
    );
  };
  return (
    <>
      <button
        type="button"
        className="button needs-script"
        aria-haspopup="dialog"
        aria-busy={(isOpen && !Dialog) || undefined}
        data-replay=""
        onClick={open}
      >
        <Icon name="mail" className="size-5" />
        メッセージを送る
      </button>
      {Dialog && <Dialog recipient={recipient} isOpen={isOpen} onClose={() => setOpen(false)} />}
    </>
  );
}
