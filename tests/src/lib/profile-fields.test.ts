import { describe, expect, it } from 'vitest';
import { checkField } from '#src/lib/profile-fields.ts';

const HOST = 'ofuse.me';

describe('a field of the profile as it would be saved', () => {
  it.each([
    ['username', '  Жанна ', 'Жанна'],
    ['phone_number', '０９０ー１２３４−５６７８', '090-1234-5678'],
    ['account_number', '１２３４５６７', '1234567'],
    ['email', ' Ａ@EXAMPLE.TEST ', 'A@example.test'],
    ['bio', '一行目\r\n二行目\u0007', '一行目\n二行目'],
    ['message_email', '', ''],
    ['donation_url', ' ofuse.me/me ', 'https://ofuse.me/me'],
    ['donation_url', '', ''],
    ['deposit_type', '', ''],
  ] as const)('%s %j is saved as %j', (field, text, value) => {
    expect(checkField(field, text, HOST)).toEqual({ value, problem: null });
  });

  it.each([
    ['username', ' '],
    ['username', ''],
    ['email', ''],
    ['email', 'a@b'],
    ['furigana', 'kana'],
    ['account_number', '12-34'],
    ['phone_number', '110'],
    ['deposit_type', '定期'],
    ['message_email', 'x'],
    ['donation_url', 'https://ofuse.me'],
    ['donation_url', 'https://ofuse.me.evil.example/me'],
    ['donation_url', 'javascript:alert(1)'],
    ['bio', 'あ'.repeat(2_001)],
  ] as const)('%s %j is rejected with a reason', (field, text) => {
    expect(checkField(field, text, HOST).problem).toMatch(/./);
  });
});
