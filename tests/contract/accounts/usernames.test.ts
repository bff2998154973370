import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { RegistrationSchema } from '#contract/accounts/accounts.ts';
import { PROFILE_FIELDS } from '#contract/accounts/profile-fields.ts';
import {
  UsernameSchema,
  findUsernameProblem,
  normaliseUsername,
  toUsernameKey,
  toUsernameSkeleton,
} from '#contract/accounts/usernames.ts';

describe('a username', () => {
  test.each([
    '音の人',
    'DJ Kanade',
    'カナデ・ヒビキ',
    'A&B',
    'no.1_fan-club',
    '奏々',
    'Ａｂ１',
    'né',
    '〆切',
    '山'.repeat(30),
    '𠮷'.repeat(30),
  ])('can be %s', (name) => {
    expect(findUsernameProblem(normaliseUsername(name))).toBeNull();
  });

  test.each([
    'あ',
    '山'.repeat(31),
    '<b>x</b>',
    'a/b',
    'a\\b',
    'a@b',
    'a"b',
    "a'b",
    'a%00b',
    'a\u0000b',
    'a\r\nb:c',
    'a\u200bb',
    'a\u202eb',
    'a\u00adb',
    '😀😀',
    'админ',
    'αβγ',
    '_ab',
    'ab.',
    '-ab',
    '・音',
    'admin',
    'Ａｄｍｉｎ',
    'a-d-m-i-n',
    '運営',
    '公 式',
    'null',
  ])('cannot be %j', (name) => {
    expect(findUsernameProblem(normaliseUsername(name))).toMatch(/[ぁ-ん]/);
  });

  test.each([
    ['  音  の\u3000人 ', '音 の 人'],
    ['Ｋａｎａｄｅ', 'Kanade'],
    ['ｶﾅﾃﾞ', 'カナデ'],
    ['か\u3099く', 'がく'],
  ])('%j is kept as %s', (text, name) => {
    expect(v.parse(UsernameSchema, text)).toBe(name);
  });

  test.each([
    ['Kanade', 'KANADE'],
    ['Kanade', 'ｋａｎａｄｅ'],
  ])('%s is the same as %s', (a, b) => {
    expect(toUsernameKey(a)).toBe(toUsernameKey(b));
  });

  test.each([
    ['paypal', 'paypa1'],
    ['Ilya', 'llya'],
    ['mori', 'rnori'],
    ['wave', 'vvave'],
    ['ロック', '口ック'],
    ['エレキ', '工レキ'],
    ['カナデ', '力ナデ'],
    ['ニコ', '二コ'],
    ['ビート', 'ビ一ト'],
    ['kanade', 'k.a_n-a d&e'],
    ['né', 'ne'],
    ['zer0', 'zero'],
  ])('%s looks like %s', (a, b) => {
    expect(toUsernameSkeleton(a)).toBe(toUsernameSkeleton(b));
    expect(toUsernameKey(a)).not.toBe(toUsernameKey(b));
  });

  test.each([
    ['かなで', 'カナデ'],
    ['はな', 'ばな'],
    ['音の人', '音の日'],
    ['Kanade 1', 'Kanade 2'],
  ])('%s does not look like %s', (a, b) => {
    expect(toUsernameSkeleton(a)).not.toBe(toUsernameSkeleton(b));
  });

  test('has the error message of spec §5 on registration only', () => {
    for (const value of ['', '  ', undefined, '\u3000']) {
      const read = (schema: v.GenericSchema) => v.safeParse(schema, value).issues?.[0]?.message;
      expect(read(RegistrationSchema.entries.username)).toBe('Username is required');
      expect(read(PROFILE_FIELDS.username)).toBe('ユーザー名を入力してください。');
    }
  });
});
