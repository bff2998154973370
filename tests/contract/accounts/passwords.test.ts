import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { NewPasswordSchema, PasswordSchema } from '#contract/accounts/passwords.ts';

const ask = (schema: typeof NewPasswordSchema | typeof PasswordSchema, value: unknown) =>
  v.safeParse(schema, value).issues?.[0]?.message;

describe('a password', () => {
  test.each([
    '12345678',
    'パスワードは八字',
    '😀😀😀😀😀😀😀😀',
    '        ',
    'x'.repeat(256),
    'a\u0000bcdefgh',
    "' OR 1=1 --",
  ])('S10 can be %j', (password) => {
    expect(v.parse(NewPasswordSchema, password)).toBe(password);
  });

  test.each([
    ['', 'パスワードを入力してください。'],
    [undefined, 'パスワードを入力してください。'],
    ['1234567', 'パスワードは8文字以上で入力してください。'],
    ['😀😀😀😀😀😀😀', 'パスワードは8文字以上で入力してください。'],
    ['x'.repeat(257), expect.stringContaining('256文字')],
    ['x'.repeat(1_000_000), expect.stringContaining('256文字')],
  ])('S10 cannot be chosen as %.20j', (password, message) => {
    expect(ask(NewPasswordSchema, password)).toEqual(message);
  });

  test('is compared with any content up to the maximum length', () => {
    expect(ask(PasswordSchema, 'x')).toBeUndefined();
    expect(ask(PasswordSchema, '')).toBe('パスワードを入力してください。');
    expect(ask(PasswordSchema, 'x'.repeat(257))).toContain('256文字');
  });
});
