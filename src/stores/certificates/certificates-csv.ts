import type { ListedCertificate } from '../../../contract/certificates.ts';
import { toCsv } from '../../../contract/csv.ts';
import { formatDateTime } from '../../../contract/date-times.ts';
import { certificatePath } from '../../lib/paths.ts';

/** A list of downloads for a spreadsheet. */
export function toCertificatesCsv(list: readonly ListedCertificate[], siteUrl: string): string {
  return toCsv([
    ['ダウンロード日時', 'サウンド', 'アーティスト', '利用証明書'],
    ...list.map(({ id, issued_at, sound_title, artist }) => [
      formatDateTime(Date.parse(issued_at)),
      sound_title || 'Untitled',
      artist,
      siteUrl + certificatePath(id),
    ]),
  ]);
}
