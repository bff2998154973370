import { computed } from 'nanostores';
import * as v from 'valibot';
import { updateSound } from '../../../contract/sounds/my-sounds.ts';
import type { Sound } from '../../../contract/sounds/sounds.ts';
import { lenient } from '../../api/lenient.ts';
import type { Conflict } from '../../lib/form-state.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { findPictureProblem } from '../../lib/picture-files.ts';
import { SOUND_ROWS, type SoundDraft, type SoundRow, checkRow, toSoundDraft } from './draft.ts';
import { showChange } from './list.ts';
import { sendSoundChange } from './save.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { firstOfEach, presentError } from '../shared/request-errors.ts';
import { showToast } from '../overlays/overlays.ts';
import { askToDiscard } from '../shared/unsaved.ts';
import { createSoundVersion, isAbout, rebaseDraft, toSoundFields } from './versions.ts';

export type SoundField = SoundRow | 'thumbnail';

/** A sound that is open for editing. */
export interface SoundEditing {
  readonly id: string;
  /** As listed when it was opened. */
  readonly sound: Sound;
  /** The host's values. */
  readonly saved: SoundDraft;
  readonly savedThumbnail: string | null;
  readonly peaks: string | undefined;
  readonly draft: SoundDraft;
  /** A picture that is chosen and not sent yet; `preview` is an object URL. */
  readonly thumbnail: { readonly file: File; readonly preview: string } | null;
  /** Errors of the current values, from the host or our own rules. */
  readonly refusals: Partial<Record<SoundField, string | undefined>>;
  /** What is being sent; `share` is the part sent, from 0 to 1. */
  readonly saving: { readonly fields: readonly SoundField[]; readonly share: number } | null;
  /** Saved just now. */
  readonly justSaved: SoundField | null;
  readonly versioned: ReturnType<typeof createSoundVersion>;
  /** Fields that are not saved because of another change; `theirs` is null if the sound was deleted. */
  readonly conflict: (Conflict<Sound> & { readonly fields: readonly SoundField[] }) | null;
}

/** Spec §2: the saved mark is shown for about 1.2 s. */
const SAVED_MS = 1_200;
/** How often changes of other fields are taken over in one save. */
const REBASES_MAX = 3;
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
    versioned: createSoundVersion(sound),
    conflict: null,
  });
}

/** Updates the open sound, such as its measurements; typed text stays. */
export function showMeasured(sound: Sound): void {
  const editing = $editing.get();
  if (editing?.id === sound.id) $editing.set({ ...editing, sound });
}

/** Closes the dialog when its page is left. Pending saves continue; a toast reports failures. */
export function leaveEditor(): void {
  drop();
}

/** Closes the dialog; asks first if changes would be lost. It cannot be closed while the host works. */
export async function closeEditor(): Promise<void> {
  const editing = $editing.get();
  if (!editing || editing.saving) return;
  if (listUnsaved(editing).length === 0 || (await askToDiscard())) drop();
}

export function typeRow<Row extends SoundRow>(row: Row, value: SoundDraft[Row]): void {
  const editing = $editing.get();
  if (!editing || editing.saving) return;
  $editing.set({
    ...editing,
    draft: { ...editing.draft, [row]: value },
    refusals: { ...editing.refusals, [row]: undefined },
  });
}

/** Chooses one of several values, or removes it. */
export function toggleChoice(row: 'sub_genres' | 'moods' | 'licence_uses', value: string): void {
  const chosen = $editing.get()?.draft[row] ?? [];
  typeRow(row, chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
}

/** Previews a picture. An invalid one is refused here, and the previous one stays. */
export function chooseThumbnail(file: File): void {
  const editing = $editing.get();
  if (!editing || editing.saving) return;
  const problem = findPictureProblem(file) ?? undefined;
  const refusals = { ...editing.refusals, thumbnail: problem };
  if (problem !== undefined) return $editing.set({ ...editing, refusals });
  if (editing.thumbnail) URL.revokeObjectURL(editing.thumbnail.preview);
  $editing.set({ ...editing, thumbnail: { file, preview: URL.createObjectURL(file) }, refusals });
}

/** The fields that differ from the host's values. */
export function listUnsaved({ draft, saved, thumbnail }: SoundEditing): SoundField[] {
  const rows = SOUND_ROWS.filter((row) => checkRow(row, draft, saved).isChanged);
  return thumbnail ? ['thumbnail', ...rows] : rows;
}

/** The error of a field: the host's, or by our own rules. */
export function findProblem({ draft, saved, refusals }: SoundEditing, field: SoundField): string | null {
  return refusals[field] ?? (field === 'thumbnail' ? null : checkRow(field, draft, saved).problem);
}

/** The first error by our own rules, which has to be corrected before anything can be saved together. */
export function findBlock({ draft, saved }: SoundEditing): string | null {
  return (
    SOUND_ROWS.map((row) => checkRow(row, draft, saved).problem).find((problem) => problem !== null) ?? null
  );
}

/** Whether these fields may be sent: at least one changed, and none is invalid. */
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
  if (!(await saveFields([field]))) return;
  const editing = $editing.get();
  if (!editing) return;
  $editing.set({ ...editing, justSaved: field });
  setTimeout(() => {
    const current = $editing.get();
    if (current?.id === editing.id && current.justSaved === field)
      $editing.set({ ...current, justSaved: null });
  }, SAVED_MS);
}

/** Saves all unsaved fields together, then closes the dialog (spec §4). */
export async function saveSound(): Promise<void> {
  if (await saveFields([...SOUND_ROWS, 'thumbnail'])) drop();
}

/** After a conflict: replaces the typed fields with the saved ones. */
export function takeSavedSound(): void {
  const editing = $editing.get();
  const theirs = editing?.conflict?.theirs;
  if (!editing?.conflict || !theirs) return;
  const { fields } = editing.conflict;
  editing.versioned.accept();
  const rebased = rebase(editing, theirs);
  const taken = Object.fromEntries(
    SOUND_ROWS.filter((row) => fields.includes(row)).map((row) => [row, rebased.saved[row]]),
  );
  const isPicture = fields.includes('thumbnail');
  if (isPicture) free(editing.thumbnail?.preview);
  $editing.set({
    ...rebased,
    draft: { ...rebased.draft, ...taken },
    thumbnail: isPicture ? null : editing.thumbnail,
  });
}

/** After a conflict: replaces the saved fields with the typed ones. */
export async function keepTypedSound(): Promise<void> {
  const editing = $editing.get();
  if (!editing?.conflict?.theirs) return;
  const { fields, theirs } = editing.conflict;
  editing.versioned.accept();
  $editing.set(rebase(editing, theirs));
  await saveFields(fields);
}

/** The state based on the saved sound; typed fields stay. */
function rebase(editing: SoundEditing, theirs: Sound): SoundEditing {
  free(editing.savedThumbnail);
  return {
    ...editing,
    sound: theirs,
    ...rebaseDraft(editing, theirs),
    savedThumbnail: theirs.thumbnail_url,
    saving: null,
    conflict: null,
  };
}

/**
 * Sends the changed ones of these fields. Returns whether the host accepted them. Never throws. A change of other fields
 * meanwhile is taken over; `tries` bounds how often.
 */
export async function saveFields(fields: readonly SoundField[], tries = REBASES_MAX): Promise<boolean> {
  const before = $editing.get();
  if (!before || !canSave(before, fields)) return false;
  const { id, draft, saved, thumbnail, versioned } = before;
  const unsaved = listUnsaved(before).filter((field) => fields.includes(field));
  const rows = Object.fromEntries(
    SOUND_ROWS.filter((row) => unsaved.includes(row)).map((row) => [row, checkRow(row, draft, saved).value]),
  );
  const picture = unsaved.includes('thumbnail') ? (thumbnail?.file ?? null) : null;
  /** Only for this sound: a log-out may have closed it meanwhile. */
  const update = (changes: Partial<SoundEditing>) => {
    const editing = $editing.get();
    if (editing?.id === id) $editing.set({ ...editing, ...changes });
  };
  update({ saving: { fields: unsaved, share: 0 }, refusals: {}, justSaved: null, conflict: null });
  let reply: unknown;
  try {
    reply = await versioned.send((version) =>
      sendSoundChange(
        id,
        { rows, thumbnail: picture, version },
        { onProgress: (share) => update({ saving: { fields: unsaved, share } }) },
      ),
    );
  } catch (error) {
    const conflict = versioned.isConflict(error) ? versioned.$conflict.get() : null;
    if (conflict?.theirs && tries > 0 && !isAbout(unsaved, before, conflict.theirs)) {
      const editing = $editing.get();
      if (editing?.id !== id) return false;
      versioned.accept();
      $editing.set(rebase(editing, conflict.theirs));
      return saveFields(fields, tries - 1);
    }
    if (conflict) {
      update({ saving: null, conflict: { ...conflict, fields: unsaved } });
      return false;
    }
    const { fields: refused } = presentError(error, {
      toasts: 'keyed',
      isField: (key) => (unsaved as readonly string[]).includes(key),
    });
    update({ saving: null, refusals: firstOfEach(refused) });
    return false;
  }
  const { sound } = v.parse(lenient(updateSound.reply), reply);
  const version = sound?.updated_at;
  // Of another host, the version is unknown.
  versioned.continueFrom(isExtended() ? (version ?? null) : null);
  update({ saving: null, ...toSaved(before, unsaved), ...(sound && { sound }) });
  showChange(id, { ...toSoundFields(rows), ...(version && { updated_at: version }) });
  showToast('success', 'Sound updated successfully');
  return true;
}

/** The state after the host has accepted these fields. */
function toSaved(before: SoundEditing, taken: readonly SoundField[]): Partial<SoundEditing> {
  const rows = SOUND_ROWS.filter((row) => taken.includes(row)).map((row) => {
    const { value } = checkRow(row, before.draft, before.saved);
    return [row, Array.isArray(value) ? value : String(value ?? '')] as const;
  });
  const values = Object.fromEntries(rows);
  return {
    saved: { ...before.saved, ...values },
    draft: { ...before.draft, ...values },
    ...toSent(before, taken),
  };
}

/** The sent picture stays visible: the list gives the host's own address only when it is read again. */
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
