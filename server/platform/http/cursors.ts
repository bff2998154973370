import { Problem } from './problem.ts';

/** Where a page of a list begins or ends, for lists in the order of a time. Times are epoch ms. */
export interface RowKey {
  readonly time: number;
  readonly id: string;
}

/** What a client sends back to read on from a row. */
export function toCursor({ time, id }: RowKey): string {
  return `${time}-${id}`;
}

/** Throws `Problem` 400 for a text that is not from `toCursor`. */
export function parseCursor(cursor: string): RowKey {
  const [, time, id = ''] = /^(\d{1,15})-([0-9A-Za-z]{1,40})$/.exec(cursor) ?? [];
  if (id === '') throw new Problem(400, 'ページの指定が正しくありません。');
  return { time: Number(time), id };
}
