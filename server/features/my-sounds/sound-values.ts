import type { Updateable } from 'kysely';
import type { MusicalKey } from '../../../contract/music.ts';
import type { ContentIdState } from '../../../contract/sound-facts.ts';
import { toList } from '../../platform/database/tables/parts.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';
import type { SoundsTable } from '../catalogue/tables.ts';
import { selectCorrections, setCorrections } from '../catalogue/features-queries.ts';
import { replaceSubGenres, selectExistingSubGenres, updateSoundRow } from './queries.ts';
import type { SoundValues } from './worsening.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { own } from './tables.ts';
import { toFlag } from '../../platform/database/statements/flags.ts';

/** The values that artists have given for sounds, by `seq`. */
export async function readValues(
  db: Handle,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, SoundValues>> {
  if (seqs.length === 0) return new Map();
  const rows = await own(db)
    .selectFrom('sounds')
    .select(['seq', 'title', 'description', 'filename', 'is_published', 'is_withheld', 'is_ai_generated'])
    .select(['is_loopable', 'has_vocals', 'moods', 'licence_uses', 'content_id', 'thumbnail_key'])
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
    rows.map(({ seq, title, description, filename, thumbnail_key, ...row }) => [
      seq,
      {
        title,
        description,
        filename,
        is_published: toText(row.is_published === 1 || row.is_withheld === 1 ? 1 : 0),
        is_ai_generated: toText(row.is_ai_generated),
        sub_genres: (genresOf.get(seq) ?? []).map(({ sub_genre_id }) => String(sub_genre_id)),
        is_loopable: toText(row.is_loopable),
        has_vocals: toText(row.has_vocals),
        moods: toList(row.moods),
        licence_uses: toList(row.licence_uses),
        content_id: row.content_id ?? '',
        bpm: String(corrections.get(seq)?.bpm ?? ''),
        key: corrections.get(seq)?.music_key ?? '',
        thumbnail: thumbnail_key ?? '',
      },
    ]),
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
  const { bpm, key, sub_genres } = values;
  await updateSoundRow(transaction, seq, {
    ...toColumns(values),
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

function toColumns(values: Partial<SoundValues>): Updateable<SoundsTable> {
  const { title, description, filename, is_published, is_ai_generated, is_loopable } = values;
  const { has_vocals, moods, licence_uses, content_id } = values;
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(filename !== undefined && { filename }),
    ...(is_published !== undefined && {
      is_published: 0 as const,
      is_withheld: toFlag(is_published === 'true'),
    }),
    ...(is_ai_generated !== undefined && { is_ai_generated: toFlag(is_ai_generated === 'true') }),
    ...(is_loopable !== undefined && { is_loopable: toFlag(is_loopable === 'true') }),
    ...(has_vocals !== undefined && {
      has_vocals: has_vocals === '' ? null : toFlag(has_vocals === 'true'),
    }),
    ...(moods !== undefined && { moods: moods.join(' ') }),
    ...(licence_uses !== undefined && { licence_uses: licence_uses.join(' ') }),
    ...(content_id !== undefined && { content_id: (content_id as ContentIdState) || null }),
  };
}

function toText(flag: Flag | null): string {
  return flag === null ? '' : `${flag === 1}`;
}
