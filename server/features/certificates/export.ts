import type { Certificate } from '../../../contract/downloads/certificates.ts';
import { inWindows } from '../../platform/database/statements/windows.ts';
import { EXPORT_WINDOW_ROWS, memberFile, toTimeCell } from '../member-export.ts';
import type { Db } from './tables.ts';

const toCertificate = (body: string) => JSON.parse(body) as Certificate;

export const CERTIFICATES_FILE = memberFile(
  110,
  '利用証明書',
  (db, userId) =>
    inWindows(
      { issued_at: 0, id: '' },
      (after) => selectCertificatesAfter(db, userId, after),
      ({ issued_at, id }) => ({ issued_at, id }),
    ),
  [
    ['日時', ({ issued_at }) => toTimeCell(issued_at)],
    ['タイトル', ({ body }) => toCertificate(body).sound_title],
    ['アーティスト', ({ body }) => toCertificate(body).artist],
    ['ページ', ({ id }, { siteUrl }) => `${siteUrl}/certificates/${id}`],
  ],
);

/** The key is that of the row before. */
function selectCertificatesAfter(
  db: Db,
  userId: string,
  { issued_at, id }: { readonly issued_at: number; readonly id: string },
) {
  return db
    .selectFrom('certificates')
    .select(['issued_at', 'id', 'body'])
    .where('user_id', '=', userId)
    .where((where) =>
      where.or([
        where('issued_at', '>', issued_at),
        where.and([where('issued_at', '=', issued_at), where('id', '>', id)]),
      ]),
    )
    .orderBy('issued_at')
    .orderBy('id')
    .limit(EXPORT_WINDOW_ROWS)
    .execute();
}
