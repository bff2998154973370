import { EXPORT_WINDOW_ROWS, bySeq, memberFile, toSoundUrl, toTimeCell } from '../../member-export.ts';
import type { Db } from '../tables.ts';
import { IS_THERE } from '../visibility.ts';

export const FAVORITES_FILE = memberFile(40, 'お気に入り', bySeq(selectFavoritesAfter), [
  ['追加した日時', ({ created_at }) => toTimeCell(created_at)],
  ['タイトル', ({ title }) => title],
  ['アーティスト', ({ username }) => username],
  ['ページ', ({ id }, context) => toSoundUrl(id, context)],
]);

/** Those that the member can see; a sound that is hidden now belongs to its artist alone. */
function selectFavoritesAfter(db: Db, userId: string, after: number) {
  return db
    .selectFrom('favorites')
    .innerJoin('sounds', 'sounds.seq', 'favorites.sound_seq')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select([
      'favorites.sound_seq as seq',
      'favorites.created_at',
      'sounds.id',
      'sounds.title',
      'users.username',
    ])
    .where('favorites.user_id', '=', userId)
    .where('favorites.sound_seq', '>', after)
    .where((where) =>
      where.or([where('sounds.is_published', '=', 1), where('sounds.artist_id', '=', userId)]),
    )
    .where(IS_THERE)
    .orderBy('favorites.sound_seq')
    .limit(EXPORT_WINDOW_ROWS)
    .execute();
}
