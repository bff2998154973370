/** Numbers stay numbers in a spreadsheet; text is never read as a formula, number or date. */
export type Cell = string | number;

/** So that Excel reads UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF';
/** Characters with which spreadsheets begin a formula, including full-width forms used in Japan. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
/**
 * Text that Excel would convert: `1-2` to a day, `007` to 7, `12E4` to a number. A full date, `2026年11月`, is shown
 * unchanged.
 */
const REWRITTEN = [
  // Numbers, days, times, percentages and yen amounts, including full-width forms.
  /^[\s(（¥￥$＄]*[.．]?[\d０-９][\d０-９\s.．,，:：/／+\-－e%％)）]*(?:[ap]m?)?$/i,
  // Days with English month names or Japanese eras: `MAR1`, `1-Sep`, `R5.1.1`.
  /^(?=.*\d)(?:\d{1,2}[\s\-/]*)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s\-/.,]*(?:\d[\d\s,]*)?$/i,
  /^[mtshr]\d{1,2}(?:[./-]\d{1,2}){1,2}$/i,
  /^(?:true|false)$/i,
];

/** Rows in the form of RFC 4180: commas, CRLF, quotes where needed. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map(toCsvRow).join('');
}

/** One row, for a file that is written row by row. */
export function toCsvRow(row: readonly Cell[]): string {
  return `${row.map(toField).join(',')}\r\n`;
}

function toField(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const text = isUnsafe(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Whether a spreadsheet would convert a text, also one that has the apostrophes of `toField` already. */
function isUnsafe(text: string): boolean {
  const bare = text.replace(/^'+/, '');
  return FORMULA.test(bare) || REWRITTEN.some((form) => form.test(bare));
}

/** A row of a read file: the line on which it begins, and its cells. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Reads what `toCsv` writes, and files of spreadsheets; empty rows are left out. Undefined if a quote is not closed. */
export function readCsv(text: string): CsvRow[] | undefined {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let first = 1;
  // A cell, quoted or not, and what ends it.
  const cell = /("[^"]*(?:""[^"]*)*"|[^,"\r\n]*)(,|\r\n|\r|\n|$)/y;
  const source = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  while (cell.lastIndex < source.length || cells.length > 0) {
    const found = cell.exec(source);
    if (found === null) return undefined;
    const [all, content = '', end] = found;
    const text = content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content;
    // The apostrophe of `toField`.
    cells.push(text.startsWith("'") && isUnsafe(text) ? text.slice(1) : text);
    line += all.match(/\r\n|\r|\n/g)?.length ?? 0;
    if (end === ',') continue;
    if (cells.some((each) => each !== '')) rows.push({ line: first, cells });
    cells = [];
    first = line;
  }
  return rows;
}
