import * as v from 'valibot';
import { ApiError } from '../../../contract/errors.ts';
import { type SoundChange, updateSound } from '../../../contract/my-sounds.ts';
import { callApi } from '../../api/browser.ts';
import { uploadForm } from '../../api/upload.ts';
import { SOUND_ROWS, type SoundRow } from './draft.ts';

export interface SoundSave {
  readonly rows: Readonly<Partial<Record<SoundRow, SoundChange[SoundRow]>>>;
  readonly thumbnail: File | null;
}

interface SaveOptions {
  /** Receives the part sent, from 0 to 1. */
  onProgress(share: number): void;
}

/** Encodings of an empty list: one empty form value, as in HTML forms and on our own host, or JSON. */
const EMPTY_LISTS = ['', '[]'];
const EMPTIED = { ...updateSound, body: v.object({ sub_genres: v.array(v.string()) }) };

/**
 * Sends changes of a sound (spec §7: multipart, the key of a list is repeated). Forms cannot express an empty list, and
 * hosts differ in what they accept: after a refusal, emptied genres are sent in the next encoding, at last as JSON.
 * Throws `ApiError`; for emptied genres, the first one.
 */
export async function sendSoundChange(id: string, save: SoundSave, options: SaveOptions): Promise<void> {
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
}

function toForm({ rows, thumbnail }: SoundSave, emptyList: string): FormData {
  const form = new FormData();
  for (const row of SOUND_ROWS) {
    const value = rows[row];
    if (value === undefined) continue;
    const values = Array.isArray(value) ? value : [String(value ?? '')];
    for (const item of values.length > 0 ? values : [emptyList]) form.append(row, item);
  }
  if (thumbnail) form.append('thumbnail', thumbnail);
  return form;
}

function isAboutGenres(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 400 || error.status === 422) &&
    error.fields.some(({ key }) => key.startsWith('sub_genres'))
  );
}
