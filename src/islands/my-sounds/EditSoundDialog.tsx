import { lazy, Suspense, useEffect, useRef } from 'react';
import {
  $editing,
  $hasUnsavedSound,
  SOUND_ROWS,
  canSave,
  closeEditor,
  findBlock,
  listUnsaved,
  saveSound,
} from '../../stores/my-sounds/my-sounds.ts';
import type { SoundEditing } from '../../stores/my-sounds/my-sounds.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useClosing } from '../ui/use-closing.ts';
import { focusInvalid } from '../ui/use-invalid-focus.ts';
import { SoundConflict } from './SoundConflict.tsx';
import { SoundFactFields } from './SoundFactFields.tsx';
import { SoundFindings } from './SoundFindings.tsx';
import { SoundRows } from './SoundRows.tsx';
import { SubGenreChips } from './SubGenreChips.tsx';
import { ThumbnailField } from './ThumbnailField.tsx';
import { useStore } from '../ui/use-store.ts';

const SoundHistory = lazy(async () => ({ default: (await import('./SoundHistory.tsx')).SoundHistory }));

/** Edits the member's own sound (spec §2). Closing with unsaved text asks first. */
export function EditSoundDialog() {
  const editing = useStore($editing);
  const hasUnsaved = useStore($hasUnsavedSound);
  const close = useClosing(hasUnsaved, closeEditor);
  return (
    <Dialog isOpen={editing !== null} isBlocked={hasUnsaved} title="サウンドの編集" onClose={close}>
      {editing && <Editor key={editing.id} editing={editing} onClose={close} />}
    </Dialog>
  );
}

function Editor({ editing, onClose }: { editing: SoundEditing; onClose: () => void }) {
  const isSaving = editing.saving !== null;
  const block = findBlock(editing);
  const unsaved = listUnsaved(editing).length;
  const isSavable = isSaving || canSave(editing, [...SOUND_ROWS, 'thumbnail']);
  const form = useRef<HTMLFormElement>(null);
  const previous = useRef(editing.refusals);
  useEffect(() => {
    const before: Readonly<Record<string, string | undefined>> = previous.current;
    previous.current = editing.refusals;
    const isNew = ([field, problem]: readonly [string, string | undefined]) =>
      problem !== undefined && problem !== before[field];
    if (Object.entries(editing.refusals).some(isNew)) focusInvalid(form.current);
  }, [editing.refusals]);
  return (
    <form
      ref={form}
      className="sound-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (block !== null) focusInvalid(event.currentTarget);
        else if (!isSaving) void saveSound();
      }}
    >
      <ThumbnailField editing={editing} />
      <SoundFindings sound={editing.sound} />
      <SoundRows editing={editing} />
      <SubGenreChips editing={editing} />
      {isExtended() && <SoundFactFields editing={editing} />}
      {isExtended() && (
        <Suspense>
          <SoundHistory editing={editing} />
        </Suspense>
      )}
      <SoundConflict editing={editing} />
      <div className="dialog-actions sound-editor-actions">
        <p
          id="sound-unsaved"
          role="status"
          className="me-auto self-center text-[0.875rem] text-muted empty:hidden max-[29.9375rem]:sr-only"
        >
          {block === null && unsaved > 0 && `変更 ${unsaved}件`}
        </p>
        {block !== null && (
          // The invalid row may be out of view.
          <button
            type="button"
            id="sound-block"
            className="sound-editor-block link"
            onClick={() => focusInvalid(form.current)}
          >
            {block}
          </button>
        )}
        <button type="button" className="button" aria-disabled={isSaving || undefined} onClick={onClose}>
          閉じる
        </button>
        <BusyButton
          type="submit"
          className="button button-primary"
          disabled={!isSavable}
          aria-describedby={block === null ? 'sound-unsaved' : 'sound-block'}
          isBusy={isSaving}
        >
          保存
        </BusyButton>
      </div>
    </form>
  );
}
