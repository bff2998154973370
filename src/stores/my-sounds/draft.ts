import * as v from 'valibot';
import { type SoundChange, SoundChangeSchema } from '../../../contract/own-sounds.ts';
import type { Sound } from '../../../contract/sounds.ts';

/** The rows of a sound that can be edited (spec §2), under their names in spec §7. */
export const SOUND_ROWS = [
  'is_published',
  'filename',
  'title',
  'is_ai_generated',
  'description',
  'sub_genres',
] as const;
export type SoundRow = (typeof SOUND_ROWS)[number];

/** A sound's rows as they stand in a form; flags as a form carries them. */
export interface SoundDraft {
  readonly is_published: 'true' | 'false';
  readonly filename: string;
  readonly title: string;
  readonly is_ai_generated: 'true' | 'false';
  readonly description: string;
  readonly sub_genres: readonly string[];
}

export function toSoundDraft(sound: Sound): SoundDraft {
  const { filename, title, description, sub_genres } = sound;
  return {
    is_published: `${sound.is_published}`,
    filename,
    title,
    is_ai_generated: `${sound.is_ai_generated}`,
    // Forms carry line ends as CRLF, and a host may have kept them so.
    description: description.replace(/\r\n?/g, '\n'),
    sub_genres,
  };
}

export interface RowCheck {
  /** As it would be kept. */
  readonly value: SoundChange[SoundRow];
  readonly isChanged: boolean;
  readonly problem: string | null;
}

/** What a row would become, and what is wrong with it by our own rules. */
export function checkRow(row: SoundRow, draft: SoundDraft, saved: SoundDraft): RowCheck {
  const typed = draft[row];
  const checked = v.safeParse(SoundChangeSchema.entries[row], typed);
  if (!checked.success) {
    // What a host has kept may break our rules; it stays as it is until it is touched.
    const isChanged = !isSame(typed, saved[row]);
    return { value: undefined, isChanged, problem: isChanged ? checked.issues[0].message : null };
  }
  const isChanged = !isSame(checked.output, saved[row]) && !isSame(typed, saved[row]);
  return { value: checked.output, isChanged, problem: null };
}

/** The order in which sub-genres were chosen means nothing. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item) => other.includes(item));
  }
  return String(one) === String(other);
}
