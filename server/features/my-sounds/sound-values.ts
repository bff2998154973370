import type { SoundChange } from '../../../contract/sounds/my-sounds.ts';
import type { MusicalKey } from '../../../contract/sounds/music.ts';
import { FIELD_COLUMNS, toFieldColumns, toFieldTexts } from '../catalogue/sound-fields.ts';
import { selectCorrections, setCorrections } from '../catalogue/features-queries.ts';
import { replaceSubGenres, selectExistingSubGenres, updateSoundRow } from './queries.ts';
import type { SoundValues } from './worsening.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { own } from './tables.ts';
import { toFlag } from '../../platform/database/tables/parts.ts';

/** The values that artists have given for sounds, by `seq`. */
export async function readValues(
  db: Handle,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, SoundValues>> {
  if (seqs.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('sounds')
    .select(['seq', 'title', 'description', 'filename', 'is_published', 'is_withheld', 'thumbnail_key'])
    .select(FIELD_COLUMNS)
    .where('seq', 'in', seqs)
    .execute();
  const genres = await own(db)
    .selectFrom('sound_sub_genres')
    .select(['sound_seq', 'sub_genre_id'])
    .where('sound_seq', 'in', seqs)
    .orderBy('sub_genre_id')
    .execute();
  const genresOf = Map.groupBy(genres, ({ sound_seq }) => sound_seq);
  const corrections = new Map((await selectCorrections(db, seqs)).map((row) => [row.sound_seq, row]));
  return new Map(
    rows.map(({ seq, title, description, filename, thumbnail_key, ...row }) => {
      const { is_ai_generated, ...fields } = toFieldTexts(row);
      return [
        seq,
        {
          title,
          description,
          filename,
          is_published: String(row.is_published === 1 || row.is_withheld === 1),
          is_ai_generated,
          sub_genres: (genresOf.get(seq) ?? []).map(({ sub_genre_id }) => String(sub_genre_id)),
          ...fields,
          bpm: String(corrections.get(seq)?.bpm ?? ''),
          key: corrections.get(seq)?.music_key ?? '',
          thumbnail: thumbnail_key ?? '',
        },
      ];
    }),
  );
}

/**
 * Gives a locked sound values that it had. One that is to be public is withheld until `releaseSounds`; genres that are
 * gone are left out, and so is the picture.
 */
export async function writeValues(
  transaction: Handle,
  { seq, updated_at }: { readonly seq: number; readonly updated_at: number },
  values: Partial<SoundValues>,
  nowMs: number,
): Promise<void> {
  const { bpm, key, sub_genres, is_published } = values;
  await updateSoundRow(transaction, seq, {
    ...toValueColumns(values),
    ...(is_published !== undefined && { is_published: 0, is_withheld: toFlag(is_published === 'true') }),
    // Each change has its own time, see `applyChange`.
    updated_at: Math.max(nowMs, updated_at + 1),
  });
  await setCorrections(transaction, seq, {
    ...(bpm !== undefined && { bpm: bpm === '' ? null : Number(bpm) }),
    ...(key !== undefined && { key: key === '' ? null : (key as MusicalKey) }),
  });
  if (sub_genres === undefined) return;
  const existing = await selectExistingSubGenres(transaction, sub_genres.map(Number));
  await replaceSubGenres(
    transaction,
    seq,
    [...existing].toSorted((one, other) => one - other),
  );
}

/** The columns of the values that are given; the others are undefined, which statements leave out. */
export function toValueColumns({
  title,
  description,
  filename,
  ...fields
}: SoundChange | Partial<SoundValues>) {
  return { title, description, filename, ...toFieldColumns(fields) };
}
