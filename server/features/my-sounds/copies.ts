import type { Db } from './tables.ts';
import { LISTED_MAX } from '../staff/rules.ts';

/** An upload of a file that another artist uploaded before. Titles are null for deleted sounds. */
export interface Copy {
  readonly sound_id: string;
  readonly title: string | null;
  readonly artist: string | null;
  readonly original_id: string;
  readonly original_title: string | null;
  readonly original_artist: string | null;
  /** Epoch ms. */
  readonly noted_at: number;
}

/** The same file from two artists, newest first. For staff only; it implies no accusation. */
export function listCopies(db: Db): Promise<Copy[]> {
  return db
    .selectFrom('sound_copies as copies')
    .leftJoin('sounds as copied', 'copied.id', 'copies.sound_id')
    .leftJoin('sounds as original', 'original.id', 'copies.original_id')
    .leftJoin('users as copier', 'copier.id', 'copies.artist_id')
    .leftJoin('users as author', 'author.id', 'copies.original_artist_id')
    .select(['copies.sound_id', 'copies.original_id', 'copies.noted_at'])
    .select(['copied.title', 'copier.username as artist'])
    .select(['original.title as original_title', 'author.username as original_artist'])
    .orderBy('copies.noted_at', 'desc')
    .limit(LISTED_MAX)
    .execute();
}
