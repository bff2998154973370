import { type ReactNode, useContext } from 'react';
import type { Profile } from '../../../contract/profile.ts';
import type { ProfileField } from '../../../contract/profile-fields.ts';
import { openField, readField } from '../../stores/profile/profile.ts';
import { Icon } from '../ui/Icon.tsx';
import { FieldEditor, type FieldInput } from './FieldEditor.tsx';
import { DonationHost } from './donation-host.ts';
import { useFieldEditing, useFocusBack } from './field-editor.ts';

interface FieldRowProps {
  profile: Profile | undefined;
  field: ProfileField;
  label: string;
  hint?: ReactNode;
  input?: FieldInput;
  /** The displayed part of a value (spec §5); all of it by default. */
  mask?: (value: string) => string;
  /** Shown when there is no value. */
  empty?: string;
  isLocked?: boolean;
  /** A pending value. */
  children?: ReactNode;
}

const LINE: FieldInput = {};

/** One field of the profile: its value, or its editor. */
export function FieldRow({
  profile,
  field,
  label,
  hint,
  input = LINE,
  mask,
  empty = '未入力',
  isLocked = false,
  children,
}: FieldRowProps) {
  const editing = useFieldEditing(field, useContext(DonationHost));
  const { state } = editing;
  const editButton = useFocusBack(editing.isOpen);
  const value = readField(profile, field);
  if (editing.isOpen) {
    return (
      <div className="field-row">
        <FieldEditor field={field} label={label} hint={hint} input={input} editing={editing} />
      </div>
    );
  }
  return (
    <div className="field-row flex items-start gap-2">
      <div className="min-h-[50px] min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 text-[14px] text-muted">
          {label}
          <SavedMark isSaved={state === 'saved'} />
        </p>
        {profile === undefined ? (
          <p>
            <span className="profile-bar w-32" />
          </p>
        ) : value === '' ? (
          <p className="text-muted">{empty}</p>
        ) : (
          <p className="whitespace-pre-line">{mask ? <Masked text={mask(value)} /> : value}</p>
        )}
        {children}
      </div>
      {isLocked ? (
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
          disabled={profile === undefined}
          onClick={() => openField(field)}
        >
          <Icon name="edit" className="size-5" />
        </button>
      )}
    </div>
  );
}

/** Spec §2: lasts about 1.2 s. */
export function SavedMark({ isSaved }: { isSaved: boolean }) {
  return (
    <span role="status" className="saved-mark">
      {isSaved && (
        <>
          <Icon name="check" className="size-4" />
          保存しました
        </>
      )}
    </span>
  );
}

/** Mask characters are hidden from screen readers. */
function Masked({ text }: { text: string }) {
  const shown = text.replaceAll('*', '');
  return (
    <>
      <span aria-hidden="true" className="tabular">
        {text}
      </span>
      <span className="sr-only">{shown ? `末尾が${shown}、ほかは伏せています` : '伏せています'}</span>
    </>
  );
}
