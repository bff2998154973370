import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { EmailSchema, isEmail, normaliseEmail } from '../../contract/emails.ts';

const LOCAL_64 = 'a'.repeat(64);

describe('an e-mail address', () => {
  test.each([
    'a@b.jp',
    'first.last+tag@sub.example.co.jp',
    "o'hara#$&*+/=^_~-@example.com",
    '1@2.com',
    'x@xn--wgv71a119e.jp',
    'x@example.xn--q9jyb4c',
    `${LOCAL_64}@example.com`,
    `a@${'b'.repeat(63)}.com`,
  ])('W13 can be %s', (email) => {
    expect(isEmail(email)).toBe(true);
  });

  test.each([
    '',
    '@',
    'a',
    'a@b',
    'a@b.',
    'a@.b.jp',
    'a@b..jp',
    'a@-b.jp',
    'a@b-.jp',
    'a@b.j',
    'a@b.1',
    'a@127.0.0.1',
    'a@[127.0.0.1]',
    'a@[IPv6:::1]',
    '@b.jp',
    '.a@b.jp',
    'a.@b.jp',
    'a..b@c.jp',
    'a b@c.jp',
    'a@b c.jp',
    'a@b.jp ',
    'a@@b.jp',
    'a@b@c.jp',
    '"a b"@c.jp',
    '"a@b"@c.jp',
    '"xclow3n@gmail.com x"@internal.domain',
    'a(comment)@b.jp',
    'a@b.jp(comment)',
    '(a)b@c.jp',
    'Name <a@b.jp>',
    '<a@b.jp>',
    'a@b.jp>',
    'a@b.jp,c@d.jp',
    'a@b.jp;c@d.jp',
    'group:a@b.jp,c@d.jp;',
    'a@b.jp\r\nBcc: c@d.jp',
    'a@b.jp\nBcc: c@d.jp',
    'a\r\n@b.jp',
    'a@b.jp\0',
    'a\0@b.jp',
    'a\t@b.jp',
    'a@b.jp\u2028',
    'a\\@b.jp',
    'a:b@c.jp',
    'あ@b.jp',
    'a@日本.jp',
    'a@b.日本',
    'a\u200b@b.jp',
    'a@b\u00adc.jp',
    'a@b.jp%0aBcc:c@d.jp',
    '=?utf-8?q?a=40b.jp?= <c@d.jp>',
    '=?utf-8?q?x?=@example.com',
    'host!user@example.com',
    'user%other.example@example.com',
    'a@b_c.jp',
    `${LOCAL_64}a@example.com`,
    `a@${'b'.repeat(64)}.com`,
    `a@${'b.'.repeat(130)}jp`,
    'mailto:a@b.jp',
    'a@b.jp?bcc=c@d.jp',
  ])('W13 cannot be %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  test.each([
    ['  a@b.jp\u3000', 'a@b.jp'],
    ['ａ＠ｂ．ｊｐ', 'a@b.jp'],
    ['Some.One@EXAMPLE.Com', 'Some.One@example.com'],
  ])('%j is kept as %s', (text, email) => {
    expect(normaliseEmail(text)).toBe(email);
    expect(v.parse(EmailSchema, text)).toBe(email);
  });

  test('is checked in time, however it is made', () => {
    const started = performance.now();
    for (const text of [`${'a.'.repeat(50_000)}@`, `a@${'b-'.repeat(50_000)}`, '@'.repeat(100_000)]) {
      expect(v.safeParse(EmailSchema, text).success).toBe(false);
    }
    expect(performance.now() - started).toBeLessThan(200);
  });

  test('is asked for in the words of spec §5', () => {
    const ask = (value: unknown) => v.safeParse(EmailSchema, value).issues?.[0]?.message;
    expect(ask('')).toBe('Email is required');
    expect(ask('  ')).toBe('Email is required');
    expect(ask(undefined)).toBe('Email is required');
    expect(ask('a@b')).toBe('Invalid email format');
    expect(ask(1)).toBe('Invalid email format');
  });
});
