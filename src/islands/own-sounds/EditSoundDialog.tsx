import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { SOUND_ROWS } from '../../stores/own-sounds-draft.ts';
import {
  $editing,
  $hasUnsavedSound,
  type SoundEditing,
  canSave,
  closeEditor,
  saveSound,
} from '../../stores/own-sounds-editor.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { DiscardDialog } from './DiscardDialog.tsx';
import { SoundFindings } from './SoundFindings.tsx';
import { SoundRows } from './SoundRows.tsx';
import { SubGenreChips } from './SubGenreChips.tsx';
import { ThumbnailField } from './ThumbnailField.tsx';

/** Edits an own sound (spec §2). Closing with unsaved words asks first. */
export function EditSoundDialog() {
  const editing = useStore($editing);
  const hasUnsaved = useStore($hasUnsavedSound);
  const [isAsking, setAsking] = useState(false);
  const isOpen = editing !== null;
  const isSaving = isOpen && editing.saving !== null;
  const close = () => {
    if (isSaving) return;
    if (hasUnsaved) setAsking(true);
    else closeEditor();
  };
  useClosingTries(isOpen && hasUnsaved && !isSaving && !isAsking, () => setAsking(true));
  return (
    <>
      <Dialog isOpen={isOpen} isBlocked={hasUnsaved} titleId="edit-sound-title" onClose={closeEditor}>
        <h2 id="edit-sound-title" className="text-lg">
          サウンドの編集
        </h2>
        {editing && <Editor key={editing.id} editing={editing} onClose={close} />}
      </Dialog>
      <DiscardDialog
        isOpen={isAsking && isOpen}
        onBack={() => setAsking(false)}
        onDiscard={() => {
          setAsking(false);
          closeEditor();
        }}
      />
    </>
  );
}

function Editor({ editing, onClose }: { editing: SoundEditing; onClose: () => void }) {
  const isSaving = editing.saving !== null;
  const hasUnsaved = useStore($hasUnsavedSound);
  return (
    <form
      className="sound-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isSaving) return;
        if (canSave(editing, [...SOUND_ROWS, 'thumbnail'])) void saveSound();
        // The row that hinders may be out of sight.
        else event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      }}
    >
      <ThumbnailField editing={editing} />
      <SoundFindings sound={editing.sound} />
      <SoundRows editing={editing} />
      <SubGenreChips editing={editing} />
      <div className="dialog-actions sound-editor-actions">
        <button type="button" className="button" aria-disabled={isSaving || undefined} onClick={onClose}>
          閉じる
        </button>
        <button
          type="submit"
          className="button button-primary"
          disabled={!hasUnsaved}
          aria-disabled={isSaving || undefined}
          aria-busy={isSaving || undefined}
        >
          {isSaving ? '処理中...' : '保存'}
        </button>
      </div>
    </form>
  );
}

/** Escape, and a press beside the dialog, which the browser does not tell of while it may not close. */
function useClosingTries(isOn: boolean, onTry: () => void): void {
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      // The same press would close the question.
      event.preventDefault();
      onTry();
    };
    const onPress = ({ target }: MouseEvent) => {
      if (target instanceof HTMLDialogElement) onTry();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('mousedown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('mousedown', onPress);
    };
  });
}
