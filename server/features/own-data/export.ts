import { makeZip } from 'client-zip';
import { BYTE_ORDER_MARK, toCsvRow } from '../../../contract/values/csv.ts';
import type { Cell } from '../../../contract/values/csv.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { EveryFeature } from '../feature.ts';

type ExportDeps = Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'siteName'> &
  Pick<EveryFeature, 'features'>;

/**
 * A ZIP file with everything that the site stores about a member, as CSV for spreadsheets: the files that the features
 * declare. It is made while it is sent, a page of rows at a time, so that its size does not matter. Contains no data of
 * others, except the names of artists and sounds that are public.
 */
export function exportOwnData(
  { features, database: { db }, clock, siteUrl, siteName }: ExportDeps,
  userId: string,
): ReadableStream<Uint8Array> {
  const lastModified = new Date(clock.now());
  const files = features
    .flatMap((feature) => feature.exports ?? [])
    .toSorted((a, b) => a.position - b.position)
    .map((file) => ({
      name: `${file.title}.csv`,
      input: toCsvBytes(file.read(db, { userId, siteUrl })),
      lastModified,
    }));
  const readme = { name: 'はじめにお読みください.txt', input: toReadme(siteName), lastModified };
  return makeZip([readme, ...files]);
}

async function* toCsvBytes(pieces: AsyncIterable<readonly (readonly Cell[])[]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = BYTE_ORDER_MARK;
  for await (const rows of pieces) {
    for (const row of rows) {
      text += toCsvRow(row);
      if (text.length < CHUNK_CHARS) continue;
      yield encoder.encode(text);
      text = '';
    }
  }
  yield encoder.encode(text);
}

const CHUNK_CHARS = 16_384;

const toReadme = (siteName: string) =>
  [
    `${siteName}に保存されている、あなたのデータです。`,
    '',
    '拡張子が .csv のファイルは、Excel、Numbers、Google スプレッドシートなどの表計算ソフトで開けます。',
    'サウンドのファイルは、「サウンド.csv」のページからダウンロードできます。',
    'アーティストへのメッセージの内容は、送信が終わると消えるため、含まれていません。',
    'パスワードと本人確認書類の画像は含まれていません。画像は、審査が終わると削除されます。',
    '',
    'このファイルには、氏名や口座番号が含まれます。ほかの人に渡さないでください。',
    '',
  ].join('\r\n');
