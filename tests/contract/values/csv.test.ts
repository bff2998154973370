import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCsv, toCsv } from '#contract/values/csv.ts';
import type { Cell } from '#contract/values/csv.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

const BOM = '\uFEFF';

/** A strict reader of RFC 4180: it throws on anything that the RFC does not allow. */
function parse(csv: string): string[][] {
  if (!csv.startsWith(BOM)) throw new Error('Excel would read another encoding');
  const rows: string[][] = [];
  const row: string[] = [];
  let rest = csv.slice(1);
  while (rest !== '') {
    const [all = '', quoted, plain = '', end] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(rest) ?? [];
    if (all === '') throw new Error(`no field: ${JSON.stringify(rest)}`);
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\r\n') rows.push(row.splice(0));
    rest = rest.slice(all.length);
  }
  if (row.length > 0) throw new Error('the last line has no end');
  return rows;
}

const FORMULAS = [...'=+-@＝＋－＠\t\r\n'];
const NASTY = [...FORMULAS, '\r\n', ...'"\',;\u202E\0'];
const isNumeric = (field: string) => field.trim() !== '' && Number.isFinite(Number(field));
const text = fc.oneof(
  fc.double().map(String),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ maxLength: 3 })), { maxLength: 8 })
    .map((parts) => parts.join('')),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(text, fc.integer());

describe('M9: a file for spreadsheets', () => {
  it('parses to the values written, with texts that a spreadsheet would misread behind a quotation mark', () => {
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 5 }), (rows) => {
        const read = parse(toCsv(rows));
        expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
        for (const [index, value] of rows.flat().entries()) {
          const field = read.flat()[index] ?? '';
          expect([String(value), `'${value}`]).toContain(field);
          if (typeof value === 'number') expect(field).toBe(String(value));
          else expect(FORMULAS.includes(field.charAt(0)) || isNumeric(field)).toBe(false);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('is read as the texts that were written, also those that begin with an apostrophe', () => {
    const written = fc.oneof(text, fc.constantFrom("'=1", "''007", "'", "'雨", '1-2', 'true', "'true"));
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 5 }), (row) => {
        const [read] = readCsv(toCsv([row])) ?? [];
        expect(read?.cells ?? ['']).toEqual(row.every((each) => each === '') ? [''] : row);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['=HYPERLINK("http://evil.example","報酬")', `"'=HYPERLINK(""http://evil.example"",""報酬"")"`],
    ['+1', "'+1"],
    ['-2+3', "'-2+3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tindented', "'\tindented"],
    ['\r=1', `"'\r=1"`],
    ['＝1+1', "'＝1+1"],
    ['a=b', 'a=b'],
    ["'quoted", "'quoted"],
    ['雨, 風', '"雨, 風"'],
    ['say "hi"', '"say ""hi"""'],
    ['\u202Egnp.exe', '\u202Egnp.exe'],
    ['', ''],
    ['007', "'007"],
    ['12E4', "'12E4"],
    ['1-2', "'1-2"],
    ['2026-11', "'2026-11"],
    ['2026/11/24 9:30', "'2026/11/24 9:30"],
    ['１／２', "'１／２"],
    ['(5)', "'(5)"],
    ['￥1,000', `"'￥1,000"`],
    ['.5', "'.5"],
    ['100%', "'100%"],
    ['9:30 PM', "'9:30 PM"],
    ['MAR1', "'MAR1"],
    ['1-Sep', "'1-Sep"],
    ['December 24, 2026', `"'December 24, 2026"`],
    ['Jan-, 1', `"'Jan-, 1"`],
    ['R5.11.24', "'R5.11.24"],
    ['true', "'true"],
    ['2026年11月', '2026年11月'],
    ['1st rain', '1st rain'],
    ['雨 2', '雨 2'],
    ['4 seasons', '4 seasons'],
    ['Maybe', 'Maybe'],
    ['Marching on', 'Marching on'],
    ['0aB9eE12345678Zz', '0aB9eE12345678Zz'],
  ])('%j is written as %j', (value, field) => {
    expect(toCsv([[value, 1]])).toBe(`${BOM}${field},1\r\n`);
  });

  it.each(['jan', '1', '（'])('costs little for a long text that begins as %j', async (start) => {
    const text = `${start}${', '.repeat(50_000)}1x`;
    expect(await measureProcessorMs(() => toCsv([[text]]))).toBeLessThan(500);
  });

  it('keeps numbers as numbers, including negative ones', () => {
    expect(toCsv([[0, -5, 1_234_567]])).toBe(`${BOM}0,-5,1234567\r\n`);
  });
});

describe('readCsv', () => {
  it('reads what toCsv writes, whatever is in the cells', () => {
    const safe = fc.string().filter((cell) => !toCsv([[cell]]).includes(`'${cell}`));
    fc.assert(
      fc.property(fc.array(fc.array(safe, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), (rows) => {
        const filled = rows.filter((row) => row.some((cell) => cell !== ''));
        expect(readCsv(toCsv(rows))?.map((row) => row.cells)).toEqual(filled);
      }),
    );
  });

  it.each([
    [
      'a,b\n\n c ,"d\n""e"""\rf',
      [
        [1, 'a|b'],
        [3, ' c |d\n"e"'],
        [5, 'f'],
      ],
    ],
    [
      'a,\n,b',
      [
        [1, 'a|'],
        [2, '|b'],
      ],
    ],
    ['', []],
    ['a,', [[1, 'a|']]],
  ])('%j has these lines and cells', (text, rows) => {
    expect(readCsv(text)?.map(({ line, cells }) => [line, cells.join('|')])).toEqual(rows);
  });

  it.each(['"a', 'a,"b\n', '"a"b'])('%j is refused', (text) => {
    expect(readCsv(text)).toBeUndefined();
  });

  it('reads a cell of four million characters', () => {
    expect(readCsv(`"${'あ""'.repeat(1_400_000)}"`)?.[0]?.cells[0]).toHaveLength(2_800_000);
  });
});
