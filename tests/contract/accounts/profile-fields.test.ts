import * as fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  BIO_LENGTH_MAX,
  PAYOUT_FIELDS,
  PROFILE_FIELDS,
  findLock,
  listMissing,
  toPersonalInfoPrecondition,
} from '#contract/accounts/profile-fields.ts';
import type { PayoutField, ProfileField } from '#contract/accounts/profile-fields.ts';
import { ProfileChangeSchema } from '#contract/accounts/profile.ts';
import { cleanLine } from '#contract/values/texts.ts';
import { toZenginText } from '#contract/payouts/zengin-text.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

/** The stored form of a text; null when the text is refused. */
function check(field: ProfileField, text: unknown): string | null {
  const result = v.safeParse(PROFILE_FIELDS[field], text);
  return result.success ? result.output : null;
}

describe('fields of a profile', () => {
  it.each<[ProfileField, string, string]>([
    ['bio', ' a\r\nb\rc\td ', 'a\nb\nc\td'],
    ['bio', 'a\u0000\u001b[31mb', 'a[31mb'],
    ['bio', 'か\u3099', 'が'],
    ['bio', '\ud800', '\ufffd'],
    ['name', ' 山田　花子 ', '山田　花子'],
    ['furigana', 'ヤマダ・はなこー', 'ヤマダ・はなこー'],
    ['furigana', 'ﾔﾏﾀﾞ ｼﾞｮ-', 'ヤマダ ジョ-'],
    ['furigana', 'ﾊﾟｰｸ･ﾊﾟｰｸ', 'パーク・パーク'],
    ['furigana', 'ヤマダ　サト－', 'ヤマダ　サト-'],
    ['furigana', 'カ）オトイチ２ｎｄ', 'カ)オトイチ2nd'],
    ['furigana', '（ユ．オト', '(ユ.オト'],
    ['furigana', 'さゝき いすゞ', 'さゝき いすゞ'],
    ['furigana', 'ヷ', 'ヷ'],
    ['furigana', 'か゛ハ゜', 'がパ'],
    ['name_reading', 'ｶｻﾞﾐ ﾐｭ－ｼﾞｯｸ･ｽﾞ', 'カザミ ミュージック・ズ'],
    ['name_reading', 'さゝき', 'さゝき'],
    ['account_number', ' １２３４５６７ ', '1234567'],
    ['account_number', '0012', '0012'],
    ['phone_number', '０９０−１２３４‐５６７８', '090-1234-5678'],
    ['phone_number', '+81-90-1234-5678', '+81-90-1234-5678'],
    ['phone_number', '0312345678', '0312345678'],
    ['deposit_type', '貯蓄', '貯蓄'],
    ['message_email', ' Fan@EXAMPLE.test ', 'Fan@example.test'],
    ['message_email', 'foo..bar@docomo.ne.jp', 'foo..bar@docomo.ne.jp'],
    ['email', 'test@日本語.jp', 'test@日本語.jp'],
    ['donation_url', ' ofuse.me/x ', 'ofuse.me/x'],
    ['donation_url', 'ofuse.me/なぎ', 'ofuse.me/なぎ'],
    ['name', '山田\n太郎', '山田 太郎'],
    ['name', '山\u202e田\u2066', '山田'],
    ['bank_name', '\u3164\u200b', ''],
    // The host decides which usernames are valid.
    ['username', ' taro! ', 'taro!'],
    ['username', 'x', 'x'],
    ['username', 'Жанна', 'Жанна'],
  ])('%s: %j is kept as %j', (field, text, kept) => {
    expect(check(field, text)).toBe(kept);
  });

  it.each<[ProfileField, unknown]>([
    ['bio', 'あ'.repeat(BIO_LENGTH_MAX + 1)],
    ['bio', 5],
    ['bio', null],
    ['name', '山'.repeat(61)],
    ['furigana', '山田'],
    ['furigana', 'yamada'],
    ['furigana', '123'],
    ['furigana', 'ヤマダ/ハナコ'],
    ['furigana', 'ゝさ'],
    ['furigana', 'あゞ'],
    ['furigana', 'ㇰ'],
    ['furigana', 'ガ'.repeat(16)],
    ['name_reading', '-'],
    ['name_reading', 'カ)オト'],
    ['account_number', '123'],
    ['account_number', '123456789'],
    ['account_number', '12-34'],
    ['account_number', '-1234'],
    ['account_number', '1e5'],
    ['phone_number', '12345678'],
    ['phone_number', '090--1234-5678'],
    ['phone_number', '+'],
    ['phone_number', '0'.repeat(41)],
    ['deposit_type', '普通 '],
    ['deposit_type', '定期'],
    ['message_email', 'a@b'],
    ['message_email', 'a@b.example,c@d.example'],
    ['donation_url', 'ofuse.me/\u0000'],
    ['donation_url', `ofuse.me/${'x'.repeat(300)}`],
    ['username', ''],
    ['username', ' \t'],
    ['email', ''],
  ])('%s: %j is refused', (field, text) => {
    expect(check(field, text)).toBeNull();
  });

  it('can all be emptied except the name and the log-in address', () => {
    for (const field of Object.keys(PROFILE_FIELDS) as ProfileField[]) {
      expect(check(field, ''), field).toBe(field === 'username' || field === 'email' ? null : '');
    }
  });

  it('count characters as users see them', () => {
    expect(check('bio', '𠮷'.repeat(BIO_LENGTH_MAX))).not.toBeNull();
    expect(check('bank_name', '𠮷'.repeat(60))).not.toBeNull();
  });

  it('do not change when the stored value is saved again', () => {
    const fields = fc.constantFrom(...(Object.keys(PROFILE_FIELDS) as ProfileField[]));
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.stringMatching(/^[０-９0-9ー+ -]{0,16}$/),
    );
    fc.assert(
      fc.property(fields, texts, (field, text) => {
        const kept = check(field, text);
        if (kept !== null) expect(check(field, kept)).toBe(kept);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are names of accounts only if the file for the bank can have them', () => {
    const pieces = [...'あゝゞヽヾかがっヷヺヲーﾞﾟｰ･ｶﾊ－−・（）().ａZ9 　山/&ㇰヿゟ\u3099\u309a゛゜'];
    const names = fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(names, (text) => {
        const name = check('furigana', text);
        if (name === null || name === '') return;
        const written = toZenginText(name) ?? '';
        expect(written).toMatch(/^(?:[ｳｶ-ﾄﾊ-ﾎ]ﾞ|[ﾊ-ﾎ]ﾟ|[ｱ-ﾝA-Z0-9 ().-]){1,30}$/);
        expect(written.length).toBeLessThanOrEqual(30);
        expect(toZenginText(cleanLine(text)), 'the same as from what was typed').toBe(written);
      }),
      { numRuns: 5_000 },
    );
  });

  it('W5: are validated in bounded time for any input', async () => {
    const tookMs = await measureProcessorMs(() => {
      for (const field of Object.keys(PROFILE_FIELDS) as ProfileField[]) {
        for (const piece of ['a', '1', '-', '1-', ' ', '\u0301', '\u202e', 'a@', 'a.'])
          check(field, piece.repeat(50_000 / piece.length));
      }
    });
    expect(tookMs).toBeLessThan(2_000);
  });

  it('lock the bank details after verification, and also the names during a review', () => {
    const all = Object.keys(PROFILE_FIELDS) as ProfileField[];
    const locked = (isVerified: boolean, isUnderReview: boolean) =>
      all.filter((field) => findLock(field, { isVerified, isUnderReview }, 'x') !== null);
    const bank = ['bank_name', 'branch_name', 'deposit_type', 'account_number'];
    expect(locked(false, false)).toEqual([]);
    expect(locked(true, false)).toEqual(bank);
    expect(locked(true, true)).toEqual(bank);
    expect(locked(false, true)).toEqual(['name', 'furigana', ...bank]);
  });

  it('are not locked while they are empty', () => {
    for (const field of Object.keys(PROFILE_FIELDS) as ProfileField[]) {
      for (const present of ['', ' ', '\u3000']) {
        expect(findLock(field, { isVerified: true, isUnderReview: false }, present)).toBeNull();
        expect(findLock(field, { isVerified: false, isUnderReview: true }, present)).toBeNull();
      }
    }
  });

  it('are named with the message of spec §5 when an ID is sent too early', () => {
    const filled = Object.fromEntries(PAYOUT_FIELDS.map((field) => [field, 'x'])) as Record<
      PayoutField,
      string
    >;
    expect(listMissing(filled, { needsFurigana: true })).toEqual([]);
    expect(listMissing({ ...filled, furigana: '' }, { needsFurigana: false })).toEqual([]);
    const missing = listMissing({ ...filled, name: ' ', furigana: '' }, { needsFurigana: true });
    expect(missing).toEqual(['name', 'furigana']);
    expect(toPersonalInfoPrecondition(missing)).toMatch(
      /振込先.*氏名、電話番号、メールアドレスを更新.*最後に.*\n.*：氏名、ふりがな$/,
    );
  });
});

describe('a change of a profile', () => {
  it.each(['is_verified', '__proto__', 'constructor', 'toString', ''])(
    'refuses %j and names the field',
    (key) => {
      const body: unknown = JSON.parse(`{"bio":"x",${JSON.stringify(key)}:"x"}`);
      const { success, issues } = v.safeParse(ProfileChangeSchema, body);
      expect(success).toBe(false);
      expect(issues?.map((issue) => issue.path?.[0]?.key)).toEqual([key]);
    },
  );

  it('contains only the given fields', () => {
    expect(v.parse(ProfileChangeSchema, { bio: 'x' })).toEqual({ bio: 'x' });
    expect(Object.keys(v.parse(ProfileChangeSchema, { bio: 'x' }))).toEqual(['bio']);
    expect(v.safeParse(ProfileChangeSchema, {}).success).toBe(false);
  });
});
