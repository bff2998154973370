import * as v from 'valibot';
import { ApiError } from '../../../contract/calls/errors.ts';
import {
  type RowChangeSchema,
  type SoundChange,
  updateSound,
  updateSounds,
} from '../../../contract/sounds/my-sounds.ts';
import { callApi } from '../../api/browser.ts';
import { uploadForm } from '../../api/upload.ts';
import { SOUND_ROWS, type SoundDraft, type SoundRow } from './draft.ts';

export interface SoundSave {
  readonly rows: Readonly<Partial<Record<SoundRow, SoundChange[SoundRow]>>>;
  readonly thumbnail: File | null;
  /** When the sound was last changed, as it was read; null for a host that does not compare. */
  readonly version?: string | null;
}

interface SaveOptions {
  /** Receives the part sent, from 0 to 1. */
  onProgress?(share: number): void;
  readonly signal?: AbortSignal;
}

/** Encodings of an empty list: one empty form value, as in HTML forms and on our own host, or JSON. */
const EMPTY_LISTS = ['', '[]'];
const EMPTIED = { ...updateSound, body: v.object({ sub_genres: v.array(v.string()) }) };

/**
 * Sends changes of a sound (spec §7: multipart, the key of a list is repeated). Forms cannot express an empty list, and
 * hosts differ in what they accept: after a refusal, emptied genres are sent in the next encoding, at last as JSON.
 * Throws `ApiError`; for emptied genres, the first one.
 */
export async function sendSoundChange(id: string, save: SoundSave, options: SaveOptions): Promise<unknown> {
  const params = { id };
  if (save.rows.sub_genres === undefined || String(save.rows.sub_genres) !== '') {
    return uploadForm(updateSound, toForm(save, ''), { params, ...options });
  }
  let refusal: unknown;
  for (const emptyList of EMPTY_LISTS) {
    try {
      return await uploadForm(updateSound, toForm(save, emptyList), { params, ...options });
    } catch (error) {
      if (!isAboutGenres(error)) throw error;
      refusal ??= error;
    }
  }
  await callApi(EMPTIED, { params, body: { sub_genres: [] } }).catch(() => {
    throw refusal;
  });
  const { sub_genres: _, ...rows } = save.rows;
  if (Object.keys(rows).length > 0 || save.thumbnail) {
    await uploadForm(updateSound, toForm({ ...save, rows }, ''), { params, ...options });
  }
  return undefined;
}

/** Values of several fields of a sound, as its form has them. */
export type SoundValues = Partial<Omit<SoundDraft, 'filename'>>;

export interface ValuesOfSound {
  readonly id: string;
  /** As it was read; a sound that has changed since stays as it is. */
  readonly updated_at?: string | undefined;
  readonly values: SoundValues;
}

/** Changes several sounds of an extended host. Returns those that changed, and why others did not. Throws `ApiError`. */
export function sendSoundValues(rows: readonly ValuesOfSound[], signal: AbortSignal) {
  const sounds = rows.map(({ values, ...row }) => ({ ...row, ...values }));
  // The host checks the values, of which some are texts that people chose from lists.
  return callApi(updateSounds, {
    body: { sounds: sounds as v.InferInput<typeof RowChangeSchema>[] },
    signal,
  });
}

function toForm({ rows, thumbnail, version }: SoundSave, emptyList: string): FormData {
  const form = new FormData();
  for (const row of SOUND_ROWS) {
    const value = rows[row];
    if (value === undefined) continue;
    const values = Array.isArray(value) ? value : [String(value ?? '')];
    for (const item of values.length > 0 ? values : [emptyList]) form.append(row, item);
  }
  if (thumbnail) form.append('thumbnail', thumbnail);
  if (version) form.append('updated_at', version);
  return form;
}

function isAboutGenres(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 400 || error.status === 422) &&
    error.fields.some(({ key }) => key.startsWith('sub_genres'))
  );
}
