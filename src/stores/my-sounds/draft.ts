import * as v from 'valibot';
import { type SoundChange, SoundChangeSchema } from '../../../contract/sounds/my-sounds.ts';
import type { Sound } from '../../../contract/sounds/sounds.ts';

/** The rows of a sound that only hosts with `sound-facts` know. */
export const FACT_ROWS = [
  'bpm',
  'key',
  'is_loopable',
  'has_vocals',
  'moods',
  'licence_uses',
  'content_id',
] as const;

/** The rows of a sound that can be edited (spec §2), under their names in spec §7. */
export const SOUND_ROWS = [
  'is_published',
  'filename',
  'title',
  'is_ai_generated',
  'description',
  'sub_genres',
  ...FACT_ROWS,
] as const;
export type SoundRow = (typeof SOUND_ROWS)[number];

/** A sound's rows as form values; flags as a form sends them. */
export interface SoundDraft {
  readonly is_published: 'true' | 'false';
  readonly filename: string;
  readonly title: string;
  readonly is_ai_generated: 'true' | 'false';
  readonly description: string;
  readonly sub_genres: readonly string[];
  /** '' for the estimate. */
  readonly bpm: string;
  readonly key: string;
  readonly is_loopable: 'true' | 'false';
  readonly has_vocals: '' | 'true' | 'false';
  readonly moods: readonly string[];
  readonly licence_uses: readonly string[];
  readonly content_id: string;
}

export function toSoundDraft(sound: Sound): SoundDraft {
  const { filename, title, description, sub_genres } = sound;
  return {
    is_published: `${sound.is_published}`,
    filename,
    title,
    is_ai_generated: `${sound.is_ai_generated}`,
    // Forms send line ends as CRLF, and a host may have kept them.
    description: description.replace(/\r\n?/g, '\n'),
    sub_genres,
    bpm: sound.is_bpm_estimated === false && sound.bpm !== undefined ? String(sound.bpm) : '',
    key: sound.is_key_estimated === false ? (sound.key ?? '') : '',
    is_loopable: `${sound.is_loopable ?? false}`,
    has_vocals: sound.has_vocals === undefined ? '' : `${sound.has_vocals}`,
    moods: sound.moods ?? [],
    licence_uses: sound.added_uses ?? [],
    content_id: sound.content_id ?? '',
  };
}

export interface RowCheck {
  /** The value as it would be stored. */
  readonly value: SoundChange[SoundRow];
  readonly isChanged: boolean;
  readonly problem: string | null;
}

/** The new value of a row, and its errors by our own rules. */
export function checkRow(row: SoundRow, draft: SoundDraft, saved: SoundDraft): RowCheck {
  const typed = draft[row];
  const checked = v.safeParse(SoundChangeSchema.entries[row], typed);
  if (!checked.success) {
    // A stored value may break our rules; it is accepted until it is edited.
    const isChanged = !isSame(typed, saved[row]);
    return { value: undefined, isChanged, problem: isChanged ? checked.issues[0].message : null };
  }
  const isChanged = !isSame(checked.output, saved[row]) && !isSame(typed, saved[row]);
  return { value: checked.output, isChanged, problem: null };
}

/** The order of a list is not significant. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item) => other.includes(item));
  }
  return String(one) === String(other);
}
