import type { ReactNode } from 'react';
import { canSave, saveSoundField } from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing, SoundField } from '../../stores/my-sounds/my-sounds.ts';
import { FieldError } from '../ui/FieldFrame.tsx';
import { Icon } from '../ui/Icon.tsx';

interface EditRowProps {
  editing: SoundEditing;
  field: SoundField;
  label: string;
  problem: string | null;
  /** The id of the field, for the label. */
  inputId: string;
  children: ReactNode;
}

/** A row of the edit dialog with its save button (spec §2). */
export function EditRow({ editing, field, label, problem, inputId, children }: EditRowProps) {
  const isSaving = editing.saving?.fields.includes(field) === true;
  return (
    <div className="sound-row">
      <div className="flex flex-wrap items-center gap-x-3">
        <label htmlFor={inputId} className="form-label">
          {label}
        </label>
        <span role="status" className="saved-mark">
          {editing.justSaved === field && (
            <>
              <Icon name="check" className="size-4" />
              保存しました
            </>
          )}
        </span>
      </div>
      <div className="sound-row-line">
        <div className="grid min-w-0 flex-1 gap-1">{children}</div>
        <button
          type="button"
          className="button"
          aria-label={`${label}を保存`}
          // Not disabled, so that focus is not lost after saving; the store ignores such a press.
          aria-disabled={!canSave(editing, [field]) || undefined}
          aria-busy={isSaving || undefined}
          onClick={() => void saveSoundField(field)}
        >
          保存
        </button>
      </div>
      <FieldError id={`${inputId}-error`} error={problem ?? undefined} />
    </div>
  );
}
