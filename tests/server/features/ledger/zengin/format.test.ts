import { describe, expect, test } from 'vitest';
import { toZenginFile } from '#server/features/ledger/zengin/format.ts';
import { toZenginBytes } from '#server/features/ledger/zengin/shift-jis.ts';
import { toZenginText } from '#contract/payouts/zengin-text.ts';

const CONSIGNOR = {
  code: '1234567890',
  name: 'ｵﾄｲﾁ(ｶ',
  bankCode: '0001',
  bankKana: 'ﾐｽﾞﾎ',
  branchCode: '107',
  branchKana: 'ｳｴﾉ',
  depositType: '2',
  accountNumber: '7654321',
} as const;
const TRANSFER = {
  bankCode: '9900',
  bankKana: 'ﾕｳﾁﾖ',
  branchCode: '018',
  branchKana: 'ｾﾞﾛｲﾁﾊﾁ',
  depositType: '1',
  accountNumber: '0001234',
  payee: 'ﾐﾎﾝ ﾀﾛｳ',
  amount: 3_000,
} as const;
const decoder = new TextDecoder('shift_jis');

/** The fields of a record as text, by their lengths in bytes. */
function cut(record: Buffer, lengths: readonly number[]): string[] {
  let at = 0;
  return lengths.map((length) => decoder.decode(record.subarray(at, (at += length))));
}

describe('a file of credit transfers', () => {
  const second = {
    ...TRANSFER,
    depositType: '4',
    branchKana: 'ﾅｶﾞｲﾅﾏｴﾉｼﾃﾝﾃﾞｽﾖﾈ',
    amount: 9_999_999_999,
  } as const;
  const file = toZenginFile(CONSIGNOR, '1130', [TRANSFER, second]);
  const records = Array.from({ length: 5 }, (_, index) => file.subarray(index * 122, index * 122 + 120));

  test('has records of 120 bytes, each followed by CRLF', () => {
    expect(file).toHaveLength(5 * 122);
    for (let index = 0; index < 5; index += 1) {
      expect([...file.subarray(index * 122 + 120, index * 122 + 122)]).toEqual([13, 10]);
    }
    expect(records.map((record) => String.fromCharCode(record[0] ?? 0)).join('')).toBe('12289');
  });

  test('begins with the consignor, the date and the account to debit', () => {
    expect(cut(records[0] ?? Buffer.of(), [1, 2, 1, 10, 40, 4, 4, 15, 3, 15, 1, 7, 17])).toEqual([
      '1',
      '21',
      '0',
      '1234567890',
      'ｵﾄｲﾁ(ｶ'.padEnd(40),
      '1130',
      '0001',
      'ﾐｽﾞﾎ'.padEnd(15),
      '107',
      'ｳｴﾉ'.padEnd(15),
      '2',
      '7654321',
      ' '.repeat(17),
    ]);
  });

  test('has a record for each transfer', () => {
    const lengths = [1, 4, 15, 3, 15, 4, 1, 7, 30, 10, 1, 10, 10, 1, 1, 7];
    expect(cut(records[1] ?? Buffer.of(), lengths)).toEqual([
      '2',
      '9900',
      'ﾕｳﾁﾖ'.padEnd(15),
      '018',
      'ｾﾞﾛｲﾁﾊﾁ'.padEnd(15),
      '0000',
      '1',
      '0001234',
      'ﾐﾎﾝ ﾀﾛｳ'.padEnd(30),
      '0000003000',
      '0',
      ' '.repeat(10),
      ' '.repeat(10),
      '7',
      ' ',
      ' '.repeat(7),
    ]);
    const [, , , , branch, , deposit, , , amount] = cut(records[2] ?? Buffer.of(), lengths);
    expect([branch, deposit, amount]).toEqual(['ﾅｶﾞｲﾅﾏｴﾉｼﾃﾝﾃﾞｽﾖ', '4', '9999999999']);
  });

  test('ends with number and total', () => {
    expect(cut(records[3] ?? Buffer.of(), [1, 6, 12, 101])).toEqual([
      '8',
      '000002',
      '010000002999',
      ' '.repeat(101),
    ]);
    expect(cut(records[4] ?? Buffer.of(), [1, 119])).toEqual(['9', ' '.repeat(119)]);
  });

  test('M13 has no record that a value of another one contains', () => {
    const payee = 'ｱ\r\n2';
    expect(() => toZenginFile(CONSIGNOR, '1130', [{ ...TRANSFER, payee }])).toThrow('U+d');
  });

  test('is not made with a value that does not fit', () => {
    const make = (changes: object) => () => toZenginFile(CONSIGNOR, '1130', [{ ...TRANSFER, ...changes }]);
    expect(make({ payee: 'ｱ'.repeat(31) })).toThrow(RangeError);
    expect(make({ amount: 10_000_000_000 })).toThrow(RangeError);
    expect(make({ amount: 0.5 })).toThrow(RangeError);
    expect(make({ accountNumber: '12345678' })).toThrow(RangeError);
    expect(make({ payee: '見本' })).toThrow(/not a character/);
  });
});

describe('the characters of a file', () => {
  test.each([
    ['みほん　たろう', 'ﾐﾎﾝ ﾀﾛｳ'],
    ['ガギグゲゴザジズゼゾダヂヅデドバビブベボ', 'ｶﾞｷﾞｸﾞｹﾞｺﾞｻﾞｼﾞｽﾞｾﾞｿﾞﾀﾞﾁﾞﾂﾞﾃﾞﾄﾞﾊﾞﾋﾞﾌﾞﾍﾞﾎﾞ'],
    ['ぱぴぷぺぽ', 'ﾊﾟﾋﾟﾌﾟﾍﾟﾎﾟ'],
    ['アイウエオカキクケコサシスセソタチツテト', 'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄ'],
    ['ナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン', 'ﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ'],
    ['ぁぃぅぇぉっゃゅょゎゕゖ', 'ｱｲｳｴｵﾂﾔﾕﾖﾜｶｹ'],
    ['ヲゐゑヴ', 'ｵｲｴｳﾞ'],
    ['サトー・ジョー', 'ｻﾄ-.ｼﾞﾖ-'],
    ['ﾐﾎﾝ ﾀﾛｳ', 'ﾐﾎﾝ ﾀﾛｳ'],
    ['ａｂｃ（カ）－１', 'ABC(ｶ)-1'],
    ['（株）', null],
    ['か\u3099', 'ｶﾞ'],
    ['か゛ﾊﾟは゜', 'ｶﾞﾊﾟﾊﾟ'],
    ['さゝき いすゞ みすず', 'ｻｻｷ ｲｽｽﾞ ﾐｽｽﾞ'],
    ['バナヽ サヾエ', 'ﾊﾞﾅﾅ ｻｻﾞｴ'],
    ['づゝ たゝゝ っゝ', 'ﾂﾞﾂ ﾀﾀﾀ ﾂﾂ'],
    ['あ ゝ', null],
    ['ゝ', null],
    ['あゞ', null],
    ['ヷヸヹヺわ\u3099', 'ｳﾞｱｳﾞｲｳﾞｴｳﾞｵｳﾞｱ'],
    ['ゟヿ', 'ﾖﾘｺﾄ'],
    ['カ）ＡＢＣ', 'ｶ)ABC'],
    ['ﾊﾟｰｸ･ﾊﾟｰｸ－ｼﾞｮ', 'ﾊﾟ-ｸ.ﾊﾟ-ｸ-ｼﾞﾖ'],
    ['見本', null],
    ['あゝ', 'ｱｱ'],
    ['a&b', null],
  ])('%s becomes %s', (from, to) => {
    expect(toZenginText(from)).toBe(to);
  });

  test('are one byte each in Shift_JIS', () => {
    const text = 'ｱｲｳｴｵﾜﾝﾞﾟABCZ0189 ().-';
    const bytes = toZenginBytes(text);
    expect(bytes).toHaveLength(text.length);
    expect(decoder.decode(bytes)).toBe(text);
  });
});
