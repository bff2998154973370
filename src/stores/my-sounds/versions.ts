import type { SoundChange } from '../../../contract/sounds/my-sounds.ts';
import { type Sound, listSounds } from '../../../contract/sounds/sounds.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { $session } from '../session/session.ts';
import { memberSignal } from '../shared/member-atom.ts';
import { createVersioned } from '../shared/versioned.ts';
import { SOUND_ROWS, type SoundDraft, type SoundRow, checkRow, toSoundDraft } from './draft.ts';

/** A sound in the version that was read, and the typed values. */
interface Editing {
  readonly sound: Sound;
  readonly saved: SoundDraft;
  readonly draft: SoundDraft;
}

/** Only extended hosts compare versions. */
export function createSoundVersion({ id, updated_at }: Sound) {
  return createVersioned(isExtended() ? (updated_at ?? null) : null, async () => {
    const query = { ids: [id], include_private: true, user: $session.get().user?.username };
    const { results } = await callApi(listSounds, { query, signal: memberSignal() });
    const saved = results.find((each) => each.id === id);
    return saved ? { version: saved.updated_at ?? '', values: saved } : null;
  });
}

/** Whether one of these fields has changed since it was read. */
export function isAbout(
  fields: readonly (SoundRow | 'thumbnail')[],
  { saved, sound }: Editing,
  theirs: Sound,
): boolean {
  const draft = toSoundDraft(theirs);
  return fields.some((field) =>
    field === 'thumbnail'
      ? theirs.thumbnail_url !== sound.thumbnail_url
      : checkRow(field, draft, saved).isChanged,
  );
}

/** The values based on the saved sound; typed ones stay. */
export function rebaseDraft({ draft, saved }: Editing, theirs: Sound): Pick<Editing, 'draft' | 'saved'> {
  const next = toSoundDraft(theirs);
  const rows = SOUND_ROWS.map((row) => {
    return [row, (checkRow(row, draft, saved).isChanged ? draft : next)[row]] as const;
  });
  return { saved: next, draft: Object.fromEntries(rows) as unknown as SoundDraft };
}

/** Changed rows as fields of a sound. An estimate that is in effect again is shown when the list is loaded again. */
export function toSoundFields({ has_vocals: vocals, bpm, key, ...others }: SoundChange): Partial<Sound> {
  return {
    ...(others as Partial<Sound>),
    ...(vocals !== undefined && { has_vocals: vocals === '' ? undefined : vocals === 'true' }),
    ...(bpm !== undefined && { bpm: bpm ?? undefined, is_bpm_estimated: bpm === null ? undefined : false }),
    ...(key !== undefined && { key: key ?? undefined, is_key_estimated: key === null ? undefined : false }),
  };
}
