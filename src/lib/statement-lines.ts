import type { Statement } from '../../contract/payouts/statements.ts';
import { toCsv } from '../../contract/values/csv.ts';
import { UNTITLED } from '../../contract/sounds/sounds.ts';
import { formatMonth } from './format.ts';

type Line = Statement['sounds'][number];

/** The subject of a statement line, as shown to the user. */
export function nameLine({ sound_id, title }: Line): string {
  if (sound_id === null) return 'その他（訂正など）';
  return title === null ? '削除されたサウンド' : title || UNTITLED;
}

/** The lines without their total, so that a spreadsheet can add up several months. */
export function toStatementCsv({ month, sounds }: Statement): string {
  return toCsv([
    ['月', 'サウンドID', 'サウンド', 'ダウンロード数', '報酬（円）'],
    ...sounds.map((line) => [
      formatMonth(month),
      line.sound_id ?? '',
      nameLine(line),
      line.downloads,
      line.reward,
    ]),
  ]);
}
