import { EXPORT_ROWS_MAX, memberFile, toSoundUrl, toTimeCell } from '../member-export.ts';
import type { Db } from './tables.ts';

export const DOWNLOADS_FILE = memberFile(100, '最近のダウンロード', selectDownloads, [
  ['日時', ({ created_at }) => toTimeCell(created_at)],
  ['タイトル', ({ title }) => title ?? ''],
  ['ページ', ({ sound_id }, context) => toSoundUrl(sound_id, context)],
]);

function selectDownloads(db: Db, userId: string) {
  return db
    .selectFrom('download_credits')
    .leftJoin('sounds', (join) =>
      join.onRef('sounds.id', '=', 'download_credits.sound_id').on('sounds.is_published', '=', 1),
    )
    .select(['download_credits.created_at', 'download_credits.sound_id', 'sounds.title'])
    .where('download_credits.user_id', '=', userId)
    .orderBy('download_credits.created_at', 'desc')
    .limit(EXPORT_ROWS_MAX)
    .execute();
}
