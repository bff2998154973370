import { type SoundHistoryEntry, listSoundChanges } from '../../../contract/sounds/sound-changes.ts';
import type { Sound } from '../../../contract/sounds/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { SOUND_ROWS, type SoundDraft, type SoundRow } from './draft.ts';
import { $editing, type SoundEditing, listUnsaved, saveFields, typeRow } from './editor.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';

export type SoundHistory =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly problems: readonly string[] }
  | {
      readonly state: 'ready';
      readonly entries: readonly SoundHistoryEntry[];
      /** Of the sound, when they were read. */
      readonly version: string | undefined;
    };

/** The changes of the sound that is open for editing. */
export const $history = memberAtom<SoundHistory>({ state: 'loading' });

/** Reads the changes of a sound up to its version; the previous list stays until then. Never throws. */
export async function readHistory({ id, updated_at: version }: Sound): Promise<void> {
  const current = $history.get();
  if (current.state === 'ready' && current.version === version) return;
  const signal = memberSignal();
  const isOpen = () => !signal.aborted && $editing.get()?.id === id;
  try {
    const { changes } = await callApi(listSoundChanges, { params: { id }, signal });
    if (isOpen()) $history.set({ state: 'ready', entries: changes, version });
  } catch (error) {
    if (isOpen())
      $history.set({ state: 'failed', problems: presentError(error, { toasts: 'none' }).problems });
  }
}

export function forgetHistory(): void {
  $history.set({ state: 'loading' });
}

/** Whether a change can be undone now: typed text in its fields must not be lost. */
export function canUndoEntry(editing: SoundEditing, entry: SoundHistoryEntry): boolean {
  if (editing.saving || !entry.can_undo) return false;
  const unsaved = listUnsaved(editing);
  return listRows(entry).length > 0 && listRows(entry).every(({ row }) => !unsaved.includes(row));
}

/** Saves the values from before a change. If the host refuses, they stay in the form. Never throws. */
export async function undoEntry(entry: SoundHistoryEntry): Promise<void> {
  const editing = $editing.get();
  if (!editing || !canUndoEntry(editing, entry)) return;
  const rows = listRows(entry);
  for (const { row, before } of rows) {
    const isList = Array.isArray(editing.draft[row]);
    typeRow(row, (isList ? before : (before[0] ?? '')) as SoundDraft[typeof row]);
  }
  await saveFields(rows.map(({ row }) => row));
}

function listRows({ fields }: SoundHistoryEntry) {
  const isRow = (name: string): name is SoundRow => (SOUND_ROWS as readonly string[]).includes(name);
  return fields.flatMap(({ name, before }) => (isRow(name) ? [{ row: name, before }] : []));
}
