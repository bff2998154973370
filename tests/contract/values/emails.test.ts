import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { CredentialsSchema, RegistrationSchema } from '#contract/accounts/accounts.ts';
import { EmailSchema, isEmail, normaliseEmail } from '#contract/values/emails.ts';
import { NASTY_ADDRESSES, ODD_ADDRESSES } from '#support/members/nasty-addresses.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

describe('an e-mail address', () => {
  test.each([
    'a@b.jp',
    'first.last+tag@sub.example.co.jp',
    "o'hara#$&*+/=^_~-@example.com",
    '1@2.com',
    'x@xn--wgv71a119e.jp',
    ...ODD_ADDRESSES,
  ])('can be %s', (email) => {
    expect(v.parse(EmailSchema, email)).toBe(email);
  });

  test('cannot be any of many invalid forms', () => {
    expect(new Set(NASTY_ADDRESSES).size).toBeGreaterThanOrEqual(60);
    const wrong = ['a@b', 'a@.b', 'a@b.', 'a@b.jp@c.jp', 'a b@c.jp', 'a@b c.jp', ...NASTY_ADDRESSES];
    expect(wrong.filter(isEmail)).toEqual([]);
  });

  test('has at most 254 characters', () => {
    expect(isEmail(`${'a'.repeat(246)}@b.jp.jp`)).toBe(true);
    expect(isEmail(`${'a'.repeat(247)}@b.jp.jp`)).toBe(false);
  });

  test.each([
    ['  a@b.jp\u3000', 'a@b.jp'],
    ['ａ＠ｂ．ｊｐ', 'a@b.jp'],
    ['Some.One@EXAMPLE.Com', 'Some.One@example.com'],
    ['a@b.jp.', 'a@b.jp'],
    ['a.@b.jp．', 'a.@b.jp'],
    ['a@日本語.example。', 'a@日本語.example'],
    ['a@b.jp...', 'a@b.jp'],
  ])('%j is kept as %s', (text, email) => {
    expect(normaliseEmail(text)).toBe(email);
    expect(v.parse(EmailSchema, text)).toBe(email);
  });

  test('is checked in bounded time for any input', async () => {
    const tookMs = await measureProcessorMs(() => {
      for (const text of [
        `${'a.'.repeat(50_000)}@`,
        `a@${'b-'.repeat(50_000)}`,
        `a@${'.'.repeat(50_000)}b`,
        '@'.repeat(100_000),
      ]) {
        expect(v.safeParse(EmailSchema, text).success).toBe(false);
      }
    });
    expect(tookMs).toBeLessThan(200);
  });

  test('has the error messages of spec §5 on registration and log-in only', () => {
    for (const { email } of [RegistrationSchema.entries, CredentialsSchema.entries]) {
      const ask = (value: unknown) => v.safeParse(email, value).issues?.[0]?.message;
      expect([ask(' '), ask('a@b')]).toEqual(['Email is required', 'Invalid email format']);
    }
    const ask = (value: unknown) => v.safeParse(EmailSchema, value).issues?.[0]?.message;
    expect(ask('')).toBe('メールアドレスを入力してください。');
    expect(ask('  ')).toBe('メールアドレスを入力してください。');
    expect(ask(undefined)).toBe('メールアドレスを入力してください。');
    expect(ask('a@b')).toBe('メールアドレスの形式が正しくありません。');
    expect(ask(1)).toBe('メールアドレスの形式が正しくありません。');
  });
});
