import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import {
  cleanLine,
  cleanText,
  lineField,
  requiredLine,
  requiredText,
  toVisible,
} from '#contract/values/texts.ts';

describe('a cleaned text', () => {
  it.each([
    ['a Hangul filler', '\u3164'],
    ['a zero width space', '\u200b'],
    ['an empty Braille pattern', '\u2800'],
    ['a soft hyphen', '\u00ad'],
    ['a joiner', '\u200d'],
    ['a variation selector', '\ufe0f'],
    ['a tag', '\u{e0041}'],
    ['an empty note head', '\u{1d159}'],
    ['an interlinear anchor', '\ufff9'],
    ['the place of an object', '\ufffc'],
    ['the byte order mark reversed', '\ufffe'],
    ['the last character of a plane', '\u{1ffff}'],
    ['a noncharacter of the Arabic forms', '\ufdd0'],
    ['a joiner of hieroglyphs', '\u{13430}'],
    ['an empty hieroglyph', '\u{13441}'],
    ['a modifier of hieroglyphs', '\u{13447}'],
    ['a Hangul choseong filler', '\u115f'],
    ['a half-width Hangul filler', '\uffa0'],
    ['a mark without a letter', '\u0301'],
    ['a mark on a space', ' \u0301'],
    ['white space', ' \t\r\n\u3000\u00a0\u2028'],
    ['controls', '\0\u0007\u001b\u0085\ufeff'],
  ])('W20: is empty if it is only %s', (_, text) => {
    for (const each of [text, text.repeat(3), `${text}\u200b${text}`]) {
      expect([cleanLine(each), cleanText(each), toVisible(each)]).toEqual(['', '', '']);
    }
  });

  it('W20: is empty if it is one character without a glyph by the properties of Unicode, and else is not', () => {
    const unseen = /[\p{White_Space}\p{Cc}\p{Cs}\p{M}\p{DI}\p{NChar}\p{Cf}]/u;
    // Prepended_Concatenation_Mark, which expressions cannot name.
    const numberSigns = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
    const wrong: string[] = [];
    for (let code = 0; code <= 0x10_ffff; code += 1) {
      const text = String.fromCodePoint(code);
      // A lone surrogate becomes U+FFFD.
      if (/\p{Cs}|[\ufffc\u2800\u{1d159}\u{13441}\u{13442}]/u.test(text)) continue;
      const isSeen = !unseen.test(text) || numberSigns.test(text);
      if ((cleanLine(text) !== '') !== isSeen || (toVisible(text) !== '') !== isSeen)
        wrong.push(`U+${code.toString(16)}`);
    }
    expect(wrong).toEqual([]);
  });

  it('W20: has no bidirectional controls and no control characters', () => {
    expect(cleanLine('a\u202eb\u2066c\u2069d\u200fe\u061cf\0g')).toBe('abcdefg');
    expect(cleanText('朝の\u202e音\r\n\u2067二行目\u0007\u2028三行目')).toBe('朝の音\n二行目\n三行目');
  });

  it.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a skin tone with a profession', '👩🏽‍🚀'],
    ['a rainbow flag', '🏳️‍🌈'],
    ['a burning heart', '❤️‍🔥'],
    ['a keycap', '1️⃣'],
    ['the flag of Scotland', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['two flags', '🇯🇵🇫🇷'],
    ['an ideographic variant', '葛󠄀城'],
    ['a half-form of Devanagari', 'क्‍ष'],
    ['Persian', 'می‌خواهم'],
    ['Vietnamese', 'tiếng Việt'],
    ['Thai', 'น้ำ'],
    ['Arabic with its vowels', 'مُحَمَّد'],
    ['a name with an ideographic space', '権利　花子'],
    ['lone kana marks', 'あ゛ か゜'],
  ])('keeps %s', (_, text) => {
    expect(cleanLine(text)).toBe(text.normalize('NFC'));
    expect(toVisible(text)).toBe(text);
  });

  it('keeps a joiner only where it joins', () => {
    expect(cleanLine('朝\u200dの\u200c音')).toBe('朝の音');
    expect(cleanLine('\u200d👩\u200d \u200d👩\u200d')).toBe('👩 👩');
    expect(cleanLine('a\ufe0f\ufe0f')).toBe('a\ufe0f');
  });

  it('is in NFC, also where a removed character stood between a letter and its mark', () => {
    expect(cleanLine('か\u3099 e\u200b\u0301')).toBe('が é');
  });

  it('has at most five marks on a letter', () => {
    expect(cleanText(`ก${'\u0e49'.repeat(40)}ข`)).toBe(`ก${'\u0e49'.repeat(5)}ข`);
  });

  it('stays as it is when it is cleaned again, and is visible unless it is empty', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        'a',
        'か',
        '\u3099',
        '\u200d',
        '👩',
        '\ufe0f',
        '\u0301',
        ' ',
        '\n',
        '\u200c',
        'ک',
        '\u{e0041}',
        '\ufffe',
        '\u{13430}',
        '\u0600',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    );
    const texts = fc.array(unit, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        for (const clean of [cleanLine, cleanText]) {
          expect(clean(clean(text))).toBe(clean(text));
          expect(toVisible(clean(text))).toBe(clean(text));
        }
        expect(cleanLine(text) === '').toBe(toVisible(text) === '');
      }),
      { numRuns: 2_000 },
    );
  });

  // A quadratic rule would not end within the time of a test.
  it.each(['\u0301', '\u200d', ' ', '\ufe0f', '\u{1f3f4}\u{e0067}', '👩\u200d', '\n\u3000'])(
    'W5: is made in bounded time from %j',
    (unit) => {
      expect(cleanLine(`x${unit.repeat(500_000)}y`)).toMatch(/^x.*y$/u);
    },
  );
});

describe('a field', () => {
  const messages = (schema: v.GenericSchema, value: unknown) =>
    v.safeParse(schema, value).issues?.map(({ message }) => message) ?? [];

  it('is required and counted after the clean-up', () => {
    const name = requiredLine('お名前', 3);
    for (const nothing of [undefined, '', '\u3164', ' \u200b']) {
      expect(messages(name, nothing)).toEqual(['お名前を入力してください。']);
    }
    expect(messages(name, 7)).toEqual(['お名前を入力してください。']);
    expect(v.parse(name, `\u202e𠮷野家${'\u200b'.repeat(50)}`)).toBe('𠮷野家');
    expect(messages(name, '𠮷野家屋')).toEqual(['お名前は3文字以内で入力してください。']);
  });

  it('may have several lines, or be empty, and names long limits as people read them', () => {
    expect(v.parse(requiredText('説明', 100), ' 一行目\r\n二行目 ')).toBe('一行目\n二行目');
    expect(v.parse(lineField('タイトル', 100), '\u3164')).toBe('');
    expect(messages(requiredText('説明', 1_000), 'あ'.repeat(1_001))).toEqual([
      '説明は1,000文字以内で入力してください。',
    ]);
  });
});
