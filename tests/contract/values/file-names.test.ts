import { describe, expect, it } from 'vitest';
import { toSavedName } from '#contract/values/file-names.ts';
import { cutFileName } from '#contract/accounts/quality-check.ts';

it('a displayed name is cut to 30 characters (spec §9) and marked as cut', () => {
  expect(cutFileName('𠮷'.repeat(30))).toBe('𠮷'.repeat(30));
  expect(cutFileName('𠮷'.repeat(31))).toBe(`${'𠮷'.repeat(30)}…`);
});

it('a name from macOS, where が is two characters, is cut like any other', () => {
  expect(cutFileName('が'.repeat(30).normalize('NFD'))).toBe('が'.repeat(30));
  expect(cutFileName('が'.repeat(31).normalize('NFD'))).toBe(`${'が'.repeat(30)}…`);
});

describe('the name of a saved file', () => {
  const FAMILY = '👨‍👩‍👧‍👦';
  it.each([
    ['雨音 - なぎ.mp3', '雨音 - なぎ.mp3'],
    [`${'曲'.repeat(83)}ab.mp3`, `${'曲'.repeat(83)}ab.mp3`],
    [`${'曲'.repeat(84)}.mp3`, `${'曲'.repeat(83)}.mp3`],
    [`${'a'.repeat(300)}.m4a`, `${'a'.repeat(251)}.m4a`],
    [`${FAMILY.repeat(30)}.mp3`, `${FAMILY.repeat(10)}.mp3`],
    [`${'が'.normalize('NFD').repeat(60)}.mp3`, `${'が'.normalize('NFD').repeat(41)}.mp3`],
    [`${'🇯🇵'.repeat(50)}.mp3`, `${'🇯🇵'.repeat(31)}.mp3`],
    ['𠮷'.repeat(80), '𠮷'.repeat(63)],
    [`e${'\u0301'.repeat(200)}.mp3`, `e${'\u0301'.repeat(125)}.mp3`],
    [`${'a'.repeat(249)}. ${'b'.repeat(9)}.mp3`, `${'a'.repeat(249)}.mp3`],
    ['a/b\\c:d*e?"<f>|.mp3', 'a_b_c_d_e___f__.mp3'],
    ['half \ud83d pair.mp3', 'half \ufffd pair.mp3'],
    [`1.${'曲'.repeat(100)}`, `1.${'曲'.repeat(84)}`],
  ])('%j is %j', (name, saved) => {
    expect(toSavedName(name)).toBe(saved);
    expect(Buffer.byteLength(saved)).toBeLessThanOrEqual(255);
  });
});
