import { computed } from 'nanostores';
import { UNTITLED, type Sound } from '../../../contract/sounds/sounds.ts';
import { ALL_TAB, type SoundDraft, isOwnSound, mySounds, toSoundDraft } from '../my-sounds/my-sounds.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { $finishedUpload, $uploads, type SoundUpload } from '../uploads/uploads.ts';

/** What can be changed together with others: a sound, or a file that becomes one. */
export interface ManyRow {
  /** Of the sound or the upload. */
  readonly id: string;
  readonly title: string;
  readonly filename: string;
  /** For an upload: what it will have. */
  readonly saved: SoundDraft;
  /** null for an upload, which is changed once it is a sound. */
  readonly sound: Sound | null;
}

/** The values of a sound that was just uploaded. */
const NEW_SOUND: SoundDraft = {
  is_published: 'false',
  filename: '',
  title: '',
  is_ai_generated: 'false',
  description: '',
  sub_genres: [],
  bpm: '',
  key: '',
  is_loopable: 'false',
  has_vocals: '',
  moods: [],
  licence_uses: [],
  content_id: '',
};

/** Uploads that this tab can finish, then the listed sounds. */
export const manyRows = {
  ...mySounds,
  $list: computed([$uploads, mySounds.$list], (uploads, { items, ...list }) => ({
    ...list,
    items: [
      ...uploads.filter((upload) => isOpen(upload, list.query?.tab)).map(toUploadRow),
      ...items
        .filter((sound) => sound.is_editable && isOwnSound(sound, list.query?.username ?? ''))
        .map(toSoundRow),
    ],
  })),
};

export const $chosenIds = memberAtom<readonly string[]>([]);
export const $chosenRows = computed([manyRows.$list, $chosenIds], ({ items }, ids) =>
  items.filter(({ id }) => ids.includes(id)),
);

// A chosen upload stays chosen as a sound.
$finishedUpload.listen((finished) => {
  if (finished === null || !$chosenIds.get().includes(finished.uploadId)) return;
  $chosenIds.set([...$chosenIds.get(), finished.soundId]);
});

export function chooseRows(ids: readonly string[]): void {
  $chosenIds.set(ids);
}

function isOpen({ progress, typeId }: SoundUpload, tab: string | undefined): boolean {
  const isOfTab = tab === ALL_TAB || tab === typeId;
  return isOfTab && progress.state !== 'failed' && progress.state !== 'other-tab';
}

function toUploadRow({ id, name, prepared = {} }: SoundUpload): ManyRow {
  const saved = { ...NEW_SOUND, filename: name, ...prepared };
  return { id, title: saved.title || name, filename: name, saved, sound: null };
}

function toSoundRow(sound: Sound): ManyRow {
  const { id, title, filename } = sound;
  return { id, title: title || UNTITLED, filename, saved: toSoundDraft(sound), sound };
}
