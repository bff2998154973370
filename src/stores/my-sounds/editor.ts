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
import { createSoundVersion, isAbout, rebaseDraft, toShown } from './versions.ts';

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
  /** What was to be saved, while another change was first; `theirs` is null if the sound was deleted. */
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

/** What the host knows of the open sound by now, such as its measurements; what was typed stays. */
export function showMeasured(sound: Sound): void {
  const known = $editing.get();
  if (known?.id === sound.id) $editing.set({ ...known, sound });
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
  const known = $editing.get();
  if (!known || known.saving) return;
  $editing.set({
    ...known,
    draft: { ...known.draft, [row]: value },
    refusals: { ...known.refusals, [row]: undefined },
  });
}

/** Chooses one of several values, or removes it. */
export function toggleChoice(row: 'sub_genres' | 'moods' | 'licence_uses', value: string): void {
  const chosen = $editing.get()?.draft[row] ?? [];
  typeRow(row, chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value]);
}

/** Previews a picture. An invalid one is refused here, and the previous one is kept. */
export function chooseThumbnail(file: File): void {
  const known = $editing.get();
  if (!known || known.saving) return;
  const problem = findPictureProblem(file) ?? undefined;
  const refusals = { ...known.refusals, thumbnail: problem };
  if (problem !== undefined) return $editing.set({ ...known, refusals });
  if (known.thumbnail) URL.revokeObjectURL(known.thumbnail.preview);
  $editing.set({ ...known, thumbnail: { file, preview: URL.createObjectURL(file) }, refusals });
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
    const known = $editing.get();
    if (known?.id === editing.id && known.justSaved === field) $editing.set({ ...known, justSaved: null });
  }, SAVED_MS);
}

/** Saves all unsaved fields together, then closes the dialog (spec §4). */
export async function saveSound(): Promise<void> {
  if (await saveFields([...SOUND_ROWS, 'thumbnail'])) drop();
}

/** After a conflict: drops the fields in question for what is saved by now. */
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

/** After a conflict: replaces what is saved by now. */
export async function keepTypedSound(): Promise<void> {
  const editing = $editing.get();
  if (!editing?.conflict?.theirs) return;
  const { fields, theirs } = editing.conflict;
  editing.versioned.accept();
  $editing.set(rebase(editing, theirs));
  await saveFields(fields);
}

/** The state on top of what is saved by now: what was typed stays. */
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
  const known = $editing.get();
  if (!known || !canSave(known, fields)) return false;
  const { id, draft, saved, thumbnail } = known;
  const unsaved = listUnsaved(known).filter((field) => fields.includes(field));
  const rows = Object.fromEntries(
    SOUND_ROWS.filter((row) => unsaved.includes(row)).map((row) => [row, checkRow(row, draft, saved).value]),
  );
  const picture = unsaved.includes('thumbnail') ? (thumbnail?.file ?? null) : null;
  /** Only for this sound: a log-out may have closed it meanwhile. */
  const change = (changes: Partial<SoundEditing>) => {
    const editing = $editing.get();
    if (editing?.id === id) $editing.set({ ...editing, ...changes });
  };
  change({ saving: { fields: unsaved, share: 0 }, refusals: {}, justSaved: null, conflict: null });
  let reply: unknown;
  try {
    reply = await known.versioned.send((version) =>
      sendSoundChange(
        id,
        { rows, thumbnail: picture, version },
        { onProgress: (share) => change({ saving: { fields: unsaved, share } }) },
      ),
    );
  } catch (error) {
    const conflict = known.versioned.isConflict(error) ? known.versioned.$conflict.get() : null;
    if (conflict?.theirs && tries > 0 && !isAbout(unsaved, known, conflict.theirs)) {
      const editing = $editing.get();
      if (editing?.id !== id) return false;
      known.versioned.accept();
      $editing.set(rebase(editing, conflict.theirs));
      return saveFields(fields, tries - 1);
    }
    if (conflict) {
      change({ saving: null, conflict: { ...conflict, fields: unsaved } });
      return false;
    }
    const { fields: refused } = presentError(error, {
      toasts: 'keyed',
      isField: (key) => (unsaved as readonly string[]).includes(key),
    });
    change({ saving: null, refusals: firstOfEach(refused) });
    return false;
  }
  const { sound } = v.parse(lenient(updateSound.reply), reply);
  const version = sound?.updated_at;
  // Of another host, the version is unknown.
  known.versioned.continueFrom(isExtended() ? (version ?? null) : null);
  change({ saving: null, ...toSaved(known, unsaved), ...(sound && { sound }) });
  showChange(id, { ...toShown(rows), ...(version && { updated_at: version }) });
  showToast('success', 'Sound updated successfully');
  return true;
}

/** The state after the host has accepted these fields. */
function toSaved(before: SoundEditing, taken: readonly SoundField[]): Partial<SoundEditing> {
  const rows = SOUND_ROWS.filter((row) => taken.includes(row)).map((row) => {
    const { value } = checkRow(row, before.draft, before.saved);
    return [row, Array.isArray(value) ? value : String(value ?? '')] as const;
  });
  const kept = Object.fromEntries(rows);
  return {
    saved: { ...before.saved, ...kept },
    draft: { ...before.draft, ...kept },
    ...toSent(before, taken),
  };
}

/** The sent picture stays shown: the host's own address is known only after the list is read again. */
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
