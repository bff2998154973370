import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
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
import { isExtended } from '../../lib/extended-host.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { DiscardDialog } from './DiscardDialog.tsx';
import { SoundFactFields } from './SoundFactFields.tsx';
import { SoundFindings } from './SoundFindings.tsx';
import { SoundRows } from './SoundRows.tsx';
import { SubGenreChips } from './SubGenreChips.tsx';
import { ThumbnailField } from './ThumbnailField.tsx';

/** Edits the member's own sound (spec §2). Closing with unsaved text asks first. */
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
  const block = findBlock(editing);
  const unsaved = listUnsaved(editing).length;
  const isSavable = isSaving || canSave(editing, [...SOUND_ROWS, 'thumbnail']);
  const form = useRef<HTMLFormElement>(null);
  const known = useRef(editing.refusals);
  useEffect(() => {
    const before: Readonly<Record<string, string | undefined>> = known.current;
    known.current = editing.refusals;
    const isNew = ([field, problem]: readonly [string, string | undefined]) =>
      problem !== undefined && problem !== before[field];
    if (Object.entries(editing.refusals).some(isNew)) focusProblem(form.current);
  }, [editing.refusals]);
  return (
    <form
      ref={form}
      className="sound-editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (block !== null) focusProblem(event.currentTarget);
        else if (!isSaving) void saveSound();
      }}
    >
      <ThumbnailField editing={editing} />
      <SoundFindings sound={editing.sound} />
      <SoundRows editing={editing} />
      <SubGenreChips editing={editing} />
      {isExtended() && <SoundFactFields editing={editing} />}
      <div className="dialog-actions sound-editor-actions">
        <p id="sound-unsaved" role="status" className="sound-editor-unsaved empty:hidden max-[479px]:sr-only">
          {block === null && unsaved > 0 && `変更 ${unsaved}件`}
        </p>
        {block !== null && (
          // The invalid row may be out of view.
          <button
            type="button"
            id="sound-block"
            className="sound-editor-block link"
            onClick={() => focusProblem(form.current)}
          >
            {block}
          </button>
        )}
        <button type="button" className="button" aria-disabled={isSaving || undefined} onClick={onClose}>
          閉じる
        </button>
        <button
          type="submit"
          className="button button-primary"
          disabled={!isSavable}
          aria-describedby={block === null ? 'sound-unsaved' : 'sound-block'}
          aria-disabled={isSaving || undefined}
          aria-busy={isSaving || undefined}
        >
          {isSaving ? '処理中...' : '保存'}
        </button>
      </div>
    </form>
  );
}

function focusProblem(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus();
}

/** Handles Escape and presses beside the dialog: the browser fires no event for them while closing is blocked. */
function useClosingTries(isOn: boolean, onTry: () => void): void {
  const isPressedBeside = useRef(false);
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      // Safari ends a composition before it fires the Escape that ended it; 229 is its key code.
      if (event.key !== 'Escape' || event.isComposing || event.keyCode === 229) return;
      // The same press would close the question.
      event.preventDefault();
      onTry();
    };
    const onPress = (event: MouseEvent) => {
      isPressedBeside.current = isOutsideDialog(event);
    };
    // After the press has ended; otherwise its end beside the question would close the question.
    const onClick = (event: MouseEvent) => {
      if (isPressedBeside.current && isOutsideDialog(event)) onTry();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('mousedown', onPress);
    document.addEventListener('click', onClick);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('mousedown', onPress);
      document.removeEventListener('click', onClick);
    };
  });
}

/** A press on the dialog's scrollbar also has the dialog as its target. */
function isOutsideDialog({ target, clientX, clientY }: MouseEvent): boolean {
  if (!(target instanceof HTMLDialogElement)) return false;
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
