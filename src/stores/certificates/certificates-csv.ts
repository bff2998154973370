import type { ListedCertificate } from '../../../contract/downloads/certificates.ts';
import { toCsv } from '../../../contract/values/csv.ts';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { toCreditText } from '../../lib/credit-text.ts';
import { certificatePath, licencePath, soundPath } from '../../lib/paths.ts';

/** The site whose downloads are listed. */
interface Site {
  readonly name: string;
  readonly url: string;
}

/** A list of downloads for a spreadsheet. Values that an older entry lacks are empty. */
export function toCertificatesCsv(list: readonly ListedCertificate[], { name, url }: Site): string {
  const toUrl = (path: string | undefined) => path && url + path;
  return toCsv([
    [
      'ダウンロード日時',
      'サウンド',
      'アーティスト',
      'クレジット表記',
      '利用条件',
      '利用条件の全文',
      'サウンドのページ',
      '利用証明書',
    ],
    ...list.map(({ id, issued_at, sound_title, artist, sound_id, licence_sha256, licence_line }) => [
      formatDateTime(Date.parse(issued_at)),
      sound_title || UNTITLED,
      artist,
      toCreditText(sound_title || UNTITLED, artist, name),
      licence_line ?? '',
      toUrl(licence_sha256 && licencePath(licence_sha256)) ?? '',
      toUrl(sound_id && soundPath(sound_id)) ?? '',
      toUrl(certificatePath(id)) ?? '',
    ]),
  ]);
}
