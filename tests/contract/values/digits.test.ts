import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { digits, toNumber } from '#contract/values/digits.ts';
import { SoundChangeSchema } from '#contract/sounds/my-sounds.ts';
import { NoticeFieldsSchema } from '#contract/operator/notices.ts';
import { giveSecondFactor } from '#contract/operator/security.ts';
import { PROFILE_FIELDS } from '#contract/accounts/profile-fields.ts';

function read(schema: v.GenericSchema, value: unknown): unknown {
  const result = v.safeParse(schema, value);
  return result.success ? result.output : null;
}

describe('fields of digits', () => {
  it.each<[string, v.GenericSchema, string, unknown]>([
    ['the tempo', SoundChangeSchema.entries.bpm, '　１２８．５ ', 128.5],
    ['the account number', PROFILE_FIELDS.account_number, '１２３４５６７', '1234567'],
    ['the phone number', PROFILE_FIELDS.phone_number, '０９０ー１２３４－５６７８', '090-1234-5678'],
    ['the second factor', giveSecondFactor.body.entries.code, '１２３　４５６', '123456'],
    [
      'a recovery code',
      giveSecondFactor.body.entries.code,
      'ａｂｃｄ－efgh-ijkl-mnop-qrst-uvwx',
      'ABCDEFGHIJKLMNOPQRSTUVWX',
    ],
    ['an older recovery code', giveSecondFactor.body.entries.code, 'abcdefghijklmnop', 'ABCDEFGHIJKLMNOP'],
  ])('%s is read at any width', (_, schema, typed, stored) => {
    expect(read(schema, typed)).toBe(stored);
  });

  it.each(['', '　', '１分', '1e3', '0x10', '１２ ８', '1,2'])('%j is no number', (typed) => {
    expect(toNumber(typed)).toBeNaN();
  });

  it.each([
    ['１２', 12],
    [' ５．２５ ', 5.25],
    ['-3', -3],
    ['−３', -3],
  ])('%j is %d', (typed, number) => {
    expect(toNumber(typed)).toBe(number);
  });

  it('says what is wrong with a value that is no text, and with one that is too long', () => {
    const schema = digits(/^\d+$/, '数字で入力してください。');
    for (const value of [5, null, '1'.repeat(41)]) {
      expect(v.safeParse(schema, value).issues?.[0].message).toBe('数字で入力してください。');
    }
  });

  it('refuses a notice whose seconds are no number', () => {
    expect(read(NoticeFieldsSchema.entries.seconds, toNumber('五'))).toBeNull();
    expect(read(NoticeFieldsSchema.entries.seconds, toNumber('１５'))).toBe(15);
  });
});
