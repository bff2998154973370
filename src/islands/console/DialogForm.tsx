import type { ReadableAtom } from 'nanostores';
import { type ReactNode, useEffect } from 'react';
import type { FormLogic } from '../../lib/form-state.ts';
import { askToDiscard } from '../../stores/shared/unsaved.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Form } from '../ui/Form.tsx';
import { useClosing } from '../ui/use-closing.ts';
import { useStore } from '../ui/use-store.ts';

interface DialogFormProps {
  /** Unique on the page. */
  id: string;
  title: string;
  logic: FormLogic & { readonly $isDirty: ReadableAtom<boolean> };
  onClose: () => void;
  children: ReactNode;
}

/**
 * A form in a dialog, which closes when it is saved. What was typed stays when it is refused; closing without saving it asks
 * first.
 */
export function DialogForm({ id, title, logic, onClose, children }: DialogFormProps) {
  const { state } = useStore(logic.$form);
  const isSaving = state === 'sending';
  const isDirty = useStore(logic.$isDirty);
  const close = useClosing(isDirty && !isSaving, async () => {
    if (!isDirty || (await askToDiscard())) onClose();
  });
  useEffect(() => {
    if (state === 'done') onClose();
  }, [state, onClose]);
  return (
    <Dialog isOpen isBlocked={isSaving || isDirty} titleId={`${id}-title`} onClose={close}>
      <Form
        id={id}
        logic={logic}
        submitLabel="保存する"
        busyLabel="保存する"
        actions={
          <button type="button" className="button" disabled={isSaving} onClick={close}>
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
