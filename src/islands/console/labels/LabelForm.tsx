import { type FormEvent, useState } from 'react';
import { LABEL_LENGTH_MAX } from '../../../../contract/operator/labels.ts';
import { type LabelDraft, saveLabel } from './labels.ts';
import type { FieldErrors } from '../../../lib/form-state.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { FormContext } from '../../ui/form-context.ts';
import { LineField } from '../LineField.tsx';

/** Adds or changes a type, a genre or a sub-genre. What was typed stays when it is refused. */
export function LabelForm({ draft: first, onClose }: { draft: LabelDraft; onClose: () => void }) {
  const [draft, setDraft] = useState(first);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isSaving, setSaving] = useState(false);
  const change = (part: Partial<LabelDraft>) => {
    setDraft({ ...draft, ...part });
    setErrors({});
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    const refused = await saveLabel(draft);
    setSaving(false);
    if (refused === null) onClose();
    else setErrors(refused);
  };
  return (
    <Dialog isOpen isBlocked={isSaving} titleId="label-title" onClose={onClose}>
      <form className="form" noValidate onSubmit={(event) => void submit(event)}>
        <h2 id="label-title" className="text-lg">
          {draft.id === null ? '追加' : `「${first.name}」を編集`}
        </h2>
        <FormContext value={{ id: 'label', errors }}>
          <LineField
            name="name"
            label="名前"
            hint={`${LABEL_LENGTH_MAX}文字まで`}
            value={draft.name}
            onChange={(name) => change({ name })}
          />
          {draft.kind === 'type' && (
            <LineField
              name="icon"
              label="アイコン"
              value={draft.icon}
              isOptional
              onChange={(icon) => change({ icon })}
            />
          )}
          {draft.id !== null && (
            <LineField
              name="order"
              label="並び順"
              hint="小さいものから並びます。"
              value={draft.order}
              inputMode="numeric"
              onChange={(order) => change({ order })}
            />
          )}
        </FormContext>
        <div className="dialog-actions">
          <button type="button" className="button" disabled={isSaving} onClick={onClose}>
            やめる
          </button>
          <button
            className="button button-primary"
            aria-disabled={isSaving}
            aria-busy={isSaving || undefined}
          >
            保存する
          </button>
        </div>
      </form>
    </Dialog>
  );
}
