import { useEffect, useState } from 'react';
import { type Recipient, MESSAGE_SENT, createMessage } from '../../stores/messages/messages.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { focusOnMount } from '../ui/focus-on-mount.ts';
import { Icon } from '../ui/Icon.tsx';
import { MessageForm } from './MessageForm.tsx';
import { useStore } from '../ui/use-store.ts';

interface MessageDialogProps {
  recipient: Recipient;
  isOpen: boolean;
  onClose: () => void;
}

/** Spec §2: a text area with a live counter and a send button; then a confirmation. */
export function MessageDialog({ recipient, isOpen, onClose }: MessageDialogProps) {
  const [message] = useState(() => createMessage(recipient));
  const { state } = useStore(message.form.$form);
  useEffect(() => (isOpen ? message.open() : undefined), [isOpen, message]);
  return (
    <Dialog isOpen={isOpen} title={`${recipient.username} さんへのメッセージ`} onClose={onClose}>
      <div role="status">
        {state === 'done' && (
          <p className="flex gap-2">
            <Icon name="check" className="mt-0.5 size-6 flex-none text-success" />
            {MESSAGE_SENT}
          </p>
        )}
      </div>
      {state === 'done' ? (
        <div className="dialog-actions">
          {/* The focused form has been removed. */}
          <button ref={focusOnMount} type="button" className="button button-primary" onClick={onClose}>
            閉じる
          </button>
        </div>
      ) : (
        <MessageForm form={message.form} onClose={onClose} />
      )}
    </Dialog>
  );
}
