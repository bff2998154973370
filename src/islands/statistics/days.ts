import type { OwnStatistics, Part } from '../../../contract/artists/statistics.ts';
import { formatMonth } from '../../lib/format.ts';

/** `11月3日` from `2026-11-03`. */
export function formatDay(date: string): string {
  return `${Number(date.slice(5, 7))}月${Number(date.slice(8, 10))}日`;
}

/** A day, or a month with its year. */
export function formatPart({ starts_on }: Pick<Part, 'starts_on'>, unit: OwnStatistics['unit']): string {
  return unit === 'day' ? formatDay(starts_on) : formatMonth(starts_on.slice(0, 7));
}
