import type { KeyboardEvent, ReactNode } from 'react';
import { canSave, findProblem, saveSoundField, typeRow } from '../../stores/my-sounds/my-sounds.ts';
import type { SoundDraft, SoundEditing, SoundField, SoundRow } from '../../stores/my-sounds/my-sounds.ts';
import { FieldError } from '../ui/FieldFrame.tsx';
import { SavedMark } from '../ui/SavedMark.tsx';
import { isComposing, sendOnCtrlEnter } from '../ui/send-keys.ts';

interface EditRowProps {
  editing: SoundEditing;
  field: SoundField;
  label: string;
  hint?: { readonly id: string; readonly text: string } | undefined;
  children: ReactNode;
}

/** A row of the edit dialog with its save button (spec §2). The id of its control is that of `toControlProps`. */
export function EditRow({ editing, field, label, hint, children }: EditRowProps) {
  const id = `sound-${field}`;
  const isSaving = editing.saving?.fields.includes(field) === true;
  const isSavable = canSave(editing, [field]);
  return (
    <div className="sound-row">
      <div className="flex flex-wrap items-center gap-x-3">
        <label htmlFor={id} className="form-label">
          {label}
        </label>
        <SavedMark isSaved={editing.justSaved === field} />
      </div>
      {hint && (
        <p id={hint.id} className="form-hint">
          {hint.text}
        </p>
      )}
      <div className="sound-row-line">
        <div className="grid min-w-0 flex-1 gap-1">{children}</div>
        <button
          type="button"
          className="button"
          aria-label={`${label}を保存`}
          // Not disabled, so that focus is not lost after saving; the store ignores such a press.
          aria-disabled={!isSavable || undefined}
          // Only rows with something to save are on the way to the button that saves everything.
          tabIndex={isSavable || isSaving ? undefined : -1}
          aria-busy={isSaving || undefined}
          onClick={() => void saveSoundField(field)}
        >
          保存
        </button>
      </div>
      <FieldError id={`${id}-error`} error={findProblem(editing, field)} />
    </div>
  );
}

/** Enter in a line saves its row; with Ctrl it saves everything, as in the other controls. */
export function saveOnEnter(event: KeyboardEvent<HTMLInputElement>, row: SoundRow): void {
  if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
  event.preventDefault();
  if (event.ctrlKey || event.metaKey) return sendOnCtrlEnter(event);
  void saveSoundField(row);
}

type ControlRow = Exclude<SoundRow, 'sub_genres' | 'moods' | 'licence_uses'>;

/** The properties that the input or select of a row has. */
export function toControlProps(editing: SoundEditing, row: ControlRow) {
  const id = `sound-${row}`;
  const problem = findProblem(editing, row);
  return {
    id,
    name: row,
    value: editing.draft[row],
    'aria-invalid': problem !== null,
    'aria-describedby': problem === null ? undefined : `${id}-error`,
    onKeyDown: sendOnCtrlEnter,
    onChange: (event: { currentTarget: { value: string } }) =>
      typeRow(row, event.currentTarget.value as SoundDraft[ControlRow]),
  };
}
