import { useState } from 'react';
import { GENRE_LENGTH_MAX } from '../../../../contract/operator/genres.ts';
import { FormConflict } from '../../ui/Conflict.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { DialogForm } from '../DialogForm.tsx';
import { type LabelDraft, createLabelForm } from './labels.ts';

const LABELS = { name: '名前', icon: 'アイコン', order: '並び順' };

/** Adds or changes a type, a genre or a sub-genre. */
export function LabelForm({ draft, onClose }: { draft: LabelDraft; onClose: () => void }) {
  const [form] = useState(() => createLabelForm(draft));
  return (
    <DialogForm
      id="label"
      title={draft.id === null ? '追加' : `「${draft.name}」を編集`}
      logic={form}
      onClose={onClose}
    >
      <TextField name="name" label="名前" hint={`${GENRE_LENGTH_MAX}文字まで`} autoComplete="off" />
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
      <FormConflict logic={form} labels={LABELS} canCreate={false} />
    </DialogForm>
  );
}
