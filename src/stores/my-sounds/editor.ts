import { computed } from 'nanostores';
import type { Sound } from '../../../contract/sounds.ts';
import { findPictureProblem } from '../../lib/picture-files.ts';
import { SOUND_ROWS, type SoundDraft, type SoundRow, checkRow, toSoundDraft } from './draft.ts';
import { refreshSounds } from './list.ts';
import { sendSoundChange } from './save.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { firstOfEach, presentError } from '../shared/request-errors.ts';
import { showToast } from '../overlays/overlays.ts';

export type SoundField = SoundRow | 'thumbnail';

/** A sound that is open for editing. */
export interface SoundEditing {
  readonly id: string;
  /** As the list had it when it was opened. */
  readonly sound: Sound;
  /** As the host has it. */
  readonly saved: SoundDraft;
  readonly savedThumbnail: string | null;
  readonly peaks: string | undefined;
  readonly draft: SoundDraft;
  /** A picture that is chosen and not sent; `preview` is an object URL. */
  readonly thumbnail: { readonly file: File; readonly preview: string } | null;
  /** What the host, or we, said of what stands there now. */
  readonly refusals: Partial<Record<SoundField, string | undefined>>;
  /** What is on its way; `share` is how much of it has left, from 0 to 1. */
  readonly saving: { readonly fields: readonly SoundField[]; readonly share: number } | null;
  /** Saved a moment ago. */
  readonly justSaved: SoundField | null;
}

/** Spec §2: the mark of what is saved lasts about 1.2 s. */
const SAVED_MS = 1_200;

export const $editing = memberAtom<SoundEditing | null>(null, freePictures);
export const $hasUnsavedSound = computed(
  $editing,
  (editing) => editing !== null && (editing.saving !== null || listUnsaved(editing).length > 0),
);

export function openEditor(sound: Sound): void {
  if ($editing.get() || !sound.is_editable) return;
  const saved = toSoundDraft(sound);
  $editing.set({
    id: sound.id,
    sound,
    saved,
    savedThumbnail: sound.thumbnail_url,
    peaks: sound.peaks,
    draft: saved,
    thumbnail: null,
    refusals: {},
    saving: null,
    justSaved: null,
  });
}

/** Closes the dialog with its page. What is on its way arrives, or is told of by a toast. */
export function leaveEditor(): void {
  drop();
}

/** Closes the dialog; what is not saved is lost. Nothing closes it while the host is at work. */
export function closeEditor(): void {
  if (!$editing.get()?.saving) drop();
}

export function typeRow<Row extends SoundRow>(row: Row, value: SoundDraft[Row]): void {
  const known = $editing.get();
  if (!known || known.saving) return;
  $editing.set({
    ...known,
    draft: { ...known.draft, [row]: value },
    refusals: { ...known.refusals, [row]: undefined },
  });
}

export function toggleSubGenre(id: string): void {
  const chosen = $editing.get()?.draft.sub_genres ?? [];
  typeRow('sub_genres', chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
}

/** Takes a picture to look at; what cannot be sent is refused here, and the one before it stays. */
export function chooseThumbnail(file: File): void {
  const known = $editing.get();
  if (!known || known.saving) return;
  const problem = findPictureProblem(file) ?? undefined;
  const refusals = { ...known.refusals, thumbnail: problem };
  if (problem !== undefined) return $editing.set({ ...known, refusals });
  if (known.thumbnail) URL.revokeObjectURL(known.thumbnail.preview);
  $editing.set({ ...known, thumbnail: { file, preview: URL.createObjectURL(file) }, refusals });
}

/** The fields that differ from what the host has. */
export function listUnsaved({ draft, saved, thumbnail }: SoundEditing): SoundField[] {
  const rows = SOUND_ROWS.filter((row) => checkRow(row, draft, saved).isChanged);
  return thumbnail ? ['thumbnail', ...rows] : rows;
}

/** Whether these fields may be sent: something is changed, and nothing of it wrong. */
export function canSave(editing: SoundEditing, fields: readonly SoundField[]): boolean {
  const unsaved = listUnsaved(editing).filter((field) => fields.includes(field));
  return (
    unsaved.length > 0 &&
    editing.saving === null &&
    unsaved.every(
      (field) => field === 'thumbnail' || checkRow(field, editing.draft, editing.saved).problem === null,
    )
  );
}

/** Saves one field, and nothing else; the dialog stays. */
export async function saveSoundField(field: SoundField): Promise<void> {
  if (!(await save([field]))) return;
  const editing = $editing.get();
  if (!editing) return;
  $editing.set({ ...editing, justSaved: field });
  setTimeout(() => {
    const known = $editing.get();
    if (known?.id === editing.id && known.justSaved === field) $editing.set({ ...known, justSaved: null });
  }, SAVED_MS);
}

/** Saves whatever is unsaved, together; then the dialog closes (spec §4). */
export async function saveSound(): Promise<void> {
  if (await save([...SOUND_ROWS, 'thumbnail'])) drop();
}

/** Sends what changed of these fields, and says whether the host has taken it. Never throws. */
async function save(fields: readonly SoundField[]): Promise<boolean> {
  const known = $editing.get();
  if (!known || !canSave(known, fields)) return false;
  const { id, draft, saved, thumbnail } = known;
  const unsaved = listUnsaved(known).filter((field) => fields.includes(field));
  const rows = Object.fromEntries(
    SOUND_ROWS.filter((row) => unsaved.includes(row)).map((row) => [row, checkRow(row, draft, saved).value]),
  );
  const picture = unsaved.includes('thumbnail') ? (thumbnail?.file ?? null) : null;
  /** Of this very sound: it may have been closed by a log-out meanwhile. */
  const change = (changes: Partial<SoundEditing>) => {
    const editing = $editing.get();
    if (editing?.id === id) $editing.set({ ...editing, ...changes });
  };
  change({ saving: { fields: unsaved, share: 0 }, refusals: {}, justSaved: null });
  try {
    await sendSoundChange(
      id,
      { rows, thumbnail: picture },
      { onProgress: (share) => change({ saving: { fields: unsaved, share } }) },
    );
  } catch (error) {
    const { fields } = presentError(error, {
      toasts: 'keyed',
      isField: (key) => (unsaved as readonly string[]).includes(key),
    });
    change({ saving: null, refusals: firstOfEach(fields) });
    return false;
  }
  change({ saving: null, ...toSaved(known, unsaved) });
  refreshSounds();
  showToast('success', 'Sound updated successfully');
  return true;
}

/** How it stands once the host has taken these fields. */
function toSaved(before: SoundEditing, taken: readonly SoundField[]): Partial<SoundEditing> {
  const rows = SOUND_ROWS.filter((row) => taken.includes(row)).map((row) => {
    const { value } = checkRow(row, before.draft, before.saved);
    return [row, Array.isArray(value) ? value : String(value)] as const;
  });
  const kept = Object.fromEntries(rows);
  return {
    saved: { ...before.saved, ...kept },
    draft: { ...before.draft, ...kept },
    ...toSent(before, taken),
  };
}

/** The picture that was sent goes on being shown: the host's own is known once the list has been read. */
function toSent({ thumbnail, savedThumbnail }: SoundEditing, taken: readonly SoundField[]) {
  if (!thumbnail || !taken.includes('thumbnail')) return {};
  free(savedThumbnail);
  return { thumbnail: null, savedThumbnail: thumbnail.preview };
}

function drop(): void {
  freePictures($editing.get());
  $editing.set(null);
}

function freePictures(editing: SoundEditing | null): void {
  free(editing?.thumbnail?.preview);
  free(editing?.savedThumbnail);
}

function free(url: string | null | undefined): void {
  if (url?.startsWith('blob:')) URL.revokeObjectURL(url);
}
