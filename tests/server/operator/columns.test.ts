import { expect, test } from 'vitest';
import { toColumns, toFacts } from '#server/operator/columns.ts';

test.each([
  ['kanji and kana', '音の人', 6],
  ['full-width letters', 'ＡＢ', 4],
  ['half-width kana', 'ｱｲｳ', 3],
  ['kana with a separate voicing mark', 'か\u3099', 2],
  ['a letter with a combining accent', 'e\u0301', 1],
  ['an emoji', '🎵', 2],
  ['an emoji below U+1F300', '⭐', 2],
])('toColumns aligns the column after %s', (_, value, width) => {
  const [head, row] = toColumns(['NAME', 'ID'], [[value, 'x']]).split('\n');
  const nameWidth = Math.max(4, width);
  expect(head).toBe(`${'NAME'.padEnd(nameWidth)}  ID`);
  expect(row).toBe(`${value}${' '.repeat(nameWidth - width)}  x`);
});

test('toFacts aligns the values', () => {
  expect(toFacts({ 題名: '雨', id: 'x' })).toBe('題名  雨\nid    x');
});

test('control and direction characters of members become spaces', () => {
  expect(toColumns(['A'], [['x\u001b[2J\u202ey']])).toBe('A\nx [2J y');
});
