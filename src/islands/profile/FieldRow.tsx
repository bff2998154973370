import type { ReactNode } from 'react';
import { PROFILE_LABELS, type ProfileField } from '../../../contract/accounts/profile-fields.ts';
import { openField } from '../../stores/profile/profile.ts';
import { Icon } from '../ui/Icon.tsx';
import { SavedMark } from '../ui/SavedMark.tsx';
import { FieldEditor, type FieldInput } from './FieldEditor.tsx';
import { useFieldEditing, useFocusBack } from './field-editor.ts';

interface FieldRowProps {
  field: ProfileField;
  hint?: ReactNode;
  input?: FieldInput;
  /** The displayed part of a value (spec §5); all of it by default. */
  mask?: (value: string) => string;
  /** Displayed when there is no value. */
  empty?: string;
  /** A pending value. */
  children?: ReactNode;
}

const LINE: FieldInput = {};

/** One field of the profile: its value, or its editor. */
export function FieldRow({ field, hint, input = LINE, mask, empty = '未入力', children }: FieldRowProps) {
  const label = PROFILE_LABELS[field];
  const editing = useFieldEditing(field);
  const { saved } = editing;
  const editButton = useFocusBack(editing.isOpen);
  if (editing.isOpen) {
    return (
      <div className="field-row">
        <FieldEditor field={field} hint={hint} input={input} editing={editing} />
      </div>
    );
  }
  return (
    <div className="field-row flex items-start gap-2">
      <div className="min-h-[3.125rem] min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 text-[0.875rem] text-muted">
          {label}
          <SavedMark isSaved={editing.state === 'saved'} />
        </p>
        {saved === undefined ? (
          <p>
            <span className="profile-bar w-32" />
          </p>
        ) : saved === '' ? (
          <p className="text-muted">{empty}</p>
        ) : (
          <p className="whitespace-pre-line">{mask ? <Masked text={mask(saved)} /> : saved}</p>
        )}
        {children}
      </div>
      {editing.isLocked ? (
        <span className="grid size-11 place-items-center text-muted">
          <Icon name="lock" className="size-5" />
          <span className="sr-only">変更できません</span>
        </span>
      ) : (
        <button
          ref={editButton}
          type="button"
          className="icon-button"
          aria-label={`${label}を編集`}
          title={`${label}を編集`}
          disabled={saved === undefined}
          onClick={() => openField(field)}
        >
          <Icon name="edit" className="size-5" />
        </button>
      )}
    </div>
  );
}

/** Mask characters are hidden from screen readers. */
function Masked({ text }: { text: string }) {
  const visible = text.replaceAll('*', '');
  return (
    <>
      <span aria-hidden="true" className="tabular">
        {text}
      </span>
      <span className="sr-only">{visible ? `末尾が${visible}、ほかは伏せています` : '伏せています'}</span>
    </>
  );
}
