import { type ReactNode, useEffect } from 'react';
import type { FormLogic } from '../../lib/form-state.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Form } from '../ui/Form.tsx';
import { useStore } from '../ui/use-store.ts';

interface DialogFormProps {
  /** Unique on the page. */
  id: string;
  title: string;
  logic: FormLogic;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog, which closes when it is saved. What was typed stays when it is refused. */
export function DialogForm({ id, title, logic, onClose, children }: DialogFormProps) {
  const { state } = useStore(logic.$form);
  const isSaving = state === 'sending';
  useEffect(() => {
    if (state === 'done') onClose();
  }, [state, onClose]);
  return (
    <Dialog isOpen isBlocked={isSaving} titleId={`${id}-title`} onClose={onClose}>
      <Form
        id={id}
        logic={logic}
        submitLabel="保存する"
        busyLabel="保存する"
        actions={
          <button type="button" className="button" disabled={isSaving} onClick={onClose}>
            やめる
          </button>
        }
      >
        <h2 id={`${id}-title`} className="text-lg">
          {title}
        </h2>
        {children}
      </Form>
    </Dialog>
  );
}
