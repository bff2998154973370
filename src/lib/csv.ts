/** A number stays one for whoever opens the file; a text is never taken for a formula, a number or a date. */
export type Cell = string | number;

/** So that Excel reads UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';
/** What spreadsheets take for the beginning of a formula, in Japan in its wide forms too. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;
/**
 * What Excel would show otherwise than it was written: `1-2` as a day, `007` as 7, `12E4` as a number. A date
 * in full, `2026年11月`, shows as it is.
 */
const REWRITTEN = [
  // Numbers, days, times, shares and sums of yen, wide ones too.
  /^[\s(（¥￥$＄]*[.．]?[\d０-９][\d０-９\s.．,，:：/／+\-－e%％)）]*(?:[ap]m?)?$/i,
  // Days by the month’s English name, and by the reign: `MAR1`, `1-Sep`, `R5.1.1`.
  /^(?=.*\d)(?:\d{1,2}[\s\-/]*)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[\s\-/.,]*[\d\s,]*$/i,
  /^[mtshr]\d{1,2}(?:[./-]\d{1,2}){1,2}$/i,
  /^(?:true|false)$/i,
];

/** Rows as RFC 4180 has them: commas, CRLF, quotes where they are needed. */
export function toCsv(rows: readonly (readonly Cell[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

function toField(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const isMisread = FORMULA.test(cell) || REWRITTEN.some((form) => form.test(cell));
  const text = isMisread ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
