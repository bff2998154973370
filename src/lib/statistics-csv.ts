import { toCsv } from '../../contract/values/csv.ts';
import type { FigureName, OwnStatistics } from '../../contract/artists/statistics.ts';
import { UNTITLED } from '../../contract/sounds/sounds.ts';
import { formatDate, formatMonth } from './format.ts';

export const DELETED_SOUND = '削除されたサウンド';

/** The figures in their order, and their names. */
export const FIGURES: readonly { readonly key: FigureName; readonly name: string }[] = [
  { key: 'plays', name: '再生' },
  { key: 'downloads', name: 'ダウンロード' },
  { key: 'favorites', name: 'お気に入り' },
  { key: 'certificates', name: '利用証明書' },
  { key: 'uses', name: '使用報告' },
];
const NAMES = FIGURES.map(({ name }) => name);

/** By day or month. */
export function toPartsCsv({ parts, unit }: OwnStatistics): string {
  const hasReward = parts.every(({ reward }) => reward !== null);
  return toCsv([
    [unit === 'day' ? '日' : '月', ...NAMES, ...(hasReward ? ['報酬（円）'] : [])],
    ...parts.map((part) => [
      unit === 'day' ? formatDate(part.starts_on) : formatMonth(part.starts_on.slice(0, 7)),
      ...FIGURES.map(({ key }) => part[key]),
      ...(part.reward === null ? [] : [part.reward]),
    ]),
  ]);
}

export function toSoundsCsv({ sounds }: OwnStatistics): string {
  return toCsv([
    ['サウンドID', 'サウンド', ...NAMES],
    ...sounds.map((sound) => [
      sound.sound_id,
      sound.title === null ? DELETED_SOUND : sound.title || UNTITLED,
      ...FIGURES.map(({ key }) => sound[key]),
    ]),
  ]);
}
