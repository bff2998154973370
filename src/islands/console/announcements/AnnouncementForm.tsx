import { useState } from 'react';
import {
  ANNOUNCEMENT_LENGTH_MAX,
  type ListedAnnouncement,
} from '../../../../contract/operator/announcements.ts';
import { FormConflict } from '../../ui/Conflict.tsx';
import { CheckboxField } from '../../ui/CheckboxField.tsx';
import { TextAreaField } from '../../ui/TextAreaField.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { DialogForm } from '../DialogForm.tsx';
import { createAnnouncementForm } from './announcements.ts';

/** A time is wider than the dialog on a narrow phone. */
const TIME = 'field min-w-0';
const LABELS = {
  text: '文章',
  link: 'リンク',
  is_for_members: '「ログインしている人だけ」',
  begins: '始まり',
  ends: '終わり',
};

interface AnnouncementFormProps {
  /** null for a new one. */
  announcement: ListedAnnouncement | null;
  onClose: () => void;
}

/** Adds or changes an announcement. */
export function AnnouncementForm({ announcement, onClose }: AnnouncementFormProps) {
  const [form] = useState(() => createAnnouncementForm(announcement));
  return (
    <DialogForm
      id="announcement"
      title={announcement === null ? '新しい告知' : '告知を編集'}
      logic={form}
      onClose={onClose}
    >
      <TextAreaField
        name="text"
        label="文章"
        hint="改行は空白になります。"
        lengthMax={ANNOUNCEMENT_LENGTH_MAX}
      />
      <TextField
        name="link"
        label="リンク"
        hint="/ で始まるこのサイトのページか、https:// で始まるURL。文章全体がリンクになります。"
        autoComplete="off"
        isOptional
      />
      <CheckboxField name="is_for_members" isOptional>
        ログインしている人だけに表示する
      </CheckboxField>
      <p className="form-hint">
        だれに表示するものも、ページのHTMLに含まれます。秘密のことは書かないでください。
      </p>
      <TextField className={TIME} name="begins" label="始まり（日本時間）" type="datetime-local" />
      <TextField className={TIME} name="ends" label="終わり（日本時間）" type="datetime-local" />
      <FormConflict logic={form} labels={LABELS} />
    </DialogForm>
  );
}
