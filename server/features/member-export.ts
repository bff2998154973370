import type { Cell } from '../../contract/values/csv.ts';
import type { Handle } from '../platform/database/handle.ts';
import { inWindows } from '../platform/database/statements/windows.ts';

/** Rows of one statement, for a table that is read in windows: few enough for memory, many enough for speed. */
export const EXPORT_WINDOW_ROWS = 500;
/** Small tables of a member: a bounded number of the newest rows each. */
export const EXPORT_ROWS_MAX = 10_000;

/** Whose data are exported. */
interface ExportContext {
  readonly userId: string;
  readonly siteUrl: string;
}

/** A CSV file of the export. */
export interface MemberFile {
  readonly title: string;
  /** Unique; the files of the archive are in this order. */
  readonly position: number;
  /** The row of labels, then the others, in pieces; read while they are sent. */
  read(db: Handle, context: ExportContext): AsyncIterable<readonly (readonly Cell[])[]>;
}

/** A column of a file: its label, and its cell in a row. */
type Column<Row> = readonly [label: string, toCell: (row: Row, context: ExportContext) => Cell];

/** `readRows` returns the member's rows: all, or windows of them. */
export function memberFile<Row>(
  position: number,
  title: string,
  readRows: (db: Handle, userId: string) => Promise<readonly Row[]> | AsyncIterable<readonly Row[]>,
  columns: readonly Column<Row>[],
): MemberFile {
  return {
    title,
    position,
    async *read(db, context) {
      yield [columns.map(([label]) => label)];
      const rows = readRows(db, context.userId);
      for await (const piece of rows instanceof Promise ? [rows] : rows)
        yield piece.map((row) => columns.map(([, toCell]) => toCell(row, context)));
    },
  };
}

/** Reads a table in windows. `select` returns the next rows after a number, in its order. */
export function bySeq<Row extends { readonly seq: number }>(
  select: (db: Handle, userId: string, after: number) => Promise<readonly Row[]>,
) {
  return (db: Handle, userId: string) =>
    inWindows(
      0,
      (after) => select(db, userId, after),
      ({ seq }) => seq,
    );
}

/** As `formatDateTime`, which makes a formatter for each call: too slow for a column of thousands. */
const TIME = new Intl.DateTimeFormat('ja-JP', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Asia/Tokyo',
});

export function toTimeCell(timeMs: number | null): string {
  return timeMs === null || timeMs === 0 ? '' : TIME.format(timeMs);
}

export function toSoundUrl(id: string, { siteUrl }: Pick<ExportContext, 'siteUrl'>): string {
  return `${siteUrl}/sounds/${id}`;
}
