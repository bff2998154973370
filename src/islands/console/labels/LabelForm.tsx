import { useEffect, useState } from 'react';
import { LABEL_LENGTH_MAX } from '../../../../contract/operator/labels.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Form } from '../../ui/Form.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { type LabelDraft, createLabelForm } from './labels.ts';
import { useStore } from '../../ui/use-store.ts';

/** Adds or changes a type, a genre or a sub-genre. What was typed stays when it is refused. */
export function LabelForm({ draft, onClose }: { draft: LabelDraft; onClose: () => void }) {
  const [form] = useState(() => createLabelForm(draft));
  const { state } = useStore(form.$form);
  const isSaving = state === 'sending';
  useEffect(() => {
    if (state === 'done') onClose();
  }, [state, onClose]);
  return (
    <Dialog isOpen isBlocked={isSaving} titleId="label-title" onClose={onClose}>
      <Form
        id="label"
        logic={form}
        submitLabel="保存する"
        busyLabel="保存する"
        actions={
          <button type="button" className="button" disabled={isSaving} onClick={onClose}>
            やめる
          </button>
        }
      >
        <h2 id="label-title" className="text-lg">
          {draft.id === null ? '追加' : `「${draft.name}」を編集`}
        </h2>
        <TextField name="name" label="名前" hint={`${LABEL_LENGTH_MAX}文字まで`} autoComplete="off" />
        {draft.kind === 'type' && (
          <TextField
            name="icon"
            label="アイコン"
            hint="music か空欄なら、サウンドのテンポを測ります。"
            isOptional
            autoComplete="off"
          />
        )}
        {draft.id !== null && (
          <TextField
            name="order"
            label="並び順"
            hint="小さいものから並びます。"
            inputMode="numeric"
            autoComplete="off"
          />
        )}
      </Form>
    </Dialog>
  );
}
