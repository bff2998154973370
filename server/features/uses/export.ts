import { EXPORT_ROWS_MAX, memberFile, toSoundUrl, toTimeCell } from '../member-export.ts';
import type { Db } from './tables.ts';

export const USES_FILE = memberFile(120, '使用報告', selectToldUses, [
  ['日時', ({ created_at }) => toTimeCell(created_at)],
  ['作品名', ({ title }) => title],
  ['作品のURL', ({ address }) => address],
  ['ひとこと', ({ message }) => message],
  ['サウンド', ({ sound_id }, context) => toSoundUrl(sound_id, context)],
]);

/** What the member told artists with certificates of own downloads. */
function selectToldUses(db: Db, userId: string) {
  return db
    .selectFrom('certificates')
    .innerJoin('uses', 'uses.certificate_id', 'certificates.id')
    .select(['uses.created_at', 'uses.title', 'uses.address', 'uses.message', 'uses.sound_id'])
    .where('certificates.user_id', '=', userId)
    .orderBy('uses.created_at', 'desc')
    .limit(EXPORT_ROWS_MAX)
    .execute();
}
