import { toCsv } from '../../contract/csv.ts';
import type { OwnStatistics } from '../../contract/statistics.ts';
import { formatDate, formatMonth } from './format.ts';

export const DELETED_SOUND = '削除されたサウンド';

/** By day or month. */
export function toPartsCsv({ parts, unit }: OwnStatistics): string {
  const hasReward = parts.every(({ reward }) => reward !== null);
  return toCsv([
    [
      unit === 'day' ? '日' : '月',
      '再生',
      'ダウンロード',
      'お気に入り',
      '利用証明書',
      ...(hasReward ? ['報酬（円）'] : []),
    ],
    ...parts.map(({ starts_on, plays, downloads, favorites, certificates, reward }) => [
      unit === 'day' ? formatDate(starts_on) : formatMonth(starts_on.slice(0, 7)),
      plays,
      downloads,
      favorites,
      certificates,
      ...(reward === null ? [] : [reward]),
    ]),
  ]);
}

export function toSoundsCsv({ sounds }: OwnStatistics): string {
  return toCsv([
    ['サウンドID', 'サウンド', '再生', 'ダウンロード', 'お気に入り', '利用証明書'],
    ...sounds.map(({ sound_id, title, plays, downloads, favorites, certificates }) => [
      sound_id,
      title === null ? DELETED_SOUND : title || 'Untitled',
      plays,
      downloads,
      favorites,
      certificates,
    ]),
  ]);
}
