import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  foldSearchText,
  isBlankSearch,
  toNameTokens,
  toSearchTerms,
  toTextTokens,
  toTitleKey,
} from '#contract/search/search-tokens.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

describe('folding', () => {
  test.each([
    ['ﾋﾟｱﾉ', 'ぴあの'],
    ['ピアノ', 'ぴあの'],
    ['ｶﾞｷﾞｸﾞ', 'がぎぐ'],
    ['か゛は゜', 'がぱ'],
    ['ＢＧＭ　Ｎｏ．７', 'bgm no.7'],
    ['ヴァイオリン', 'ばいおりん'],
    ['ラヴ', 'らぶ'],
    ['サ−バ―', 'さーばー'],
    ['わ〜〜い', 'わーい'],
    ['人々', '人人'],
    ['いすゞ', 'いすず'],
    ['こゝろ', 'こころ'],
    ['Café', 'cafe'],
    ['クリスマス・ソング', 'くりすますそんぐ'],
    ['㍿', '株式会社'],
    ['a\u0000b\u200bc\ud800d', 'abcd'],
    ['봄날', '봄날'],
  ])('%j is compared as %j', (text, folded) => {
    expect(foldSearchText(text)).toBe(folded);
  });

  test('does not change folded text', () => {
    fc.assert(
      fc.property(fc.constantFrom('雨の日のぴあの', 'lo-fi beats', 'さーばー室', '봄날 피아노'), (text) => {
        expect(foldSearchText(foldSearchText(text))).toBe(foldSearchText(text));
      }),
    );
  });
});

describe('pieces', () => {
  test('of a Japanese name are of one, two and three characters', () => {
    expect([...toNameTokens('雨の日').whole].sort()).toEqual(
      ['の', 'の日', '日', '雨', '雨の', '雨の日'].sort(),
    );
  });

  test('of a longer text omit single kana', () => {
    expect([...toTextTokens('雨の日')].sort()).toEqual(['の日', '日', '雨', '雨の', '雨の日'].sort());
  });

  test('of words are the whole word, its parts and, in names, its prefixes', () => {
    const { whole, prefixes } = toNameTokens('Lo-Fi');
    expect([...whole]).toEqual(['lofi', 'lo', 'fi']);
    expect([...prefixes].sort()).toEqual(['f', 'l', 'lo', 'lof']);
    expect([...toTextTokens('Lo-Fi')]).toEqual(['lofi', 'lo', 'fi']);
  });

  test('join Japanese words of a name that spaces separate', () => {
    expect(toNameTokens('ピアノ ソロ').whole).toContain('のそろ');
  });

  test('identify a title that equals the query in any spelling', () => {
    expect(toTitleKey('Piano Sonata No.3')).toBe(toTitleKey('ｐｉａｎｏ sonata no 3'));
    expect(toTitleKey('♪')).toBe('');
  });
});

describe('a query', () => {
  test.each<[string, unknown]>([
    ['雨', [[['雨']]]],
    ['ピアノ', [[['ぴあの']]]],
    ['東京都庁', [[['東京都', '京都庁']]]],
    ['雨 雨', [[['雨']]]],
    ['サーバー', [[['さーば']]]],
    ['ギター', [[['ぎたー']]]],
    ['lo-fi', [[['lofi'], ['lo', 'fi']]]],
    ['R&B', [[['rb']]]],
    ['♪', [[['♪']]]],
    ['雨♪', [[['雨']]]],
    ['%_"\'', []],
    ['', []],
  ])('%j asks for %j', (query, terms) => {
    expect(toSearchTerms(query)).toEqual(terms);
  });

  test('covers a long run with overlapping pieces', () => {
    const [[pieces = []] = []] = toSearchTerms('あいうえおかきく');
    expect(pieces).toEqual(['あいう', 'うえお', 'おかき', 'かきく']);
  });

  test.each([
    ['', true],
    [' \t　\u0000\u200b', true],
    ['%', false],
    ['あ', false],
  ] as const)('%j is blank: %s', (query, isBlank) => {
    expect(isBlankSearch(query)).toBe(isBlank);
  });

  test('finds every text that it is a substring of', () => {
    const character = fc.constantFrom(..."雨夜戦闘ピアノギターサーバー々ゞヴァﾋﾟｱabC18-'&・〜♪ 　");
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 30 }), (name) => {
        const { whole } = toNameTokens(name);
        for (const alternatives of toSearchTerms(name)) {
          expect(alternatives.some((tokens) => tokens.every((token) => whole.has(token)))).toBe(true);
        }
      }),
      { seed: 3, numRuns: 1_000 },
    );
  });
});

test('no token is empty or contains query syntax', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { whole, prefixes } = toNameTokens(text);
      const tokens = [...whole, ...prefixes, ...toTextTokens(text), ...toSearchTerms(text).flat(2)];
      const broken = (token: string) =>
        token === '' || !token.isWellFormed() || /[\u0000-/:-@[-`{-\u007f]/.test(token);
      expect(tokens.filter(broken)).toEqual([]);
    }),
    { seed: 5, numRuns: 300 },
  );
}, 30_000);

test('any text is tokenised in bounded time', async () => {
  const texts = [
    'あ'.repeat(100_000),
    'a-'.repeat(50_000),
    'ー〜'.repeat(50_000),
    '゛'.repeat(100_000),
    ' あ'.repeat(50_000),
    '﷽'.repeat(10_000),
  ];
  for (const text of texts) {
    const tookMs = await measureProcessorMs(() => {
      toNameTokens(text);
      toTextTokens(text);
      toTitleKey(text);
      toSearchTerms(text.slice(0, 100));
    });
    expect(tookMs, text.slice(0, 4)).toBeLessThan(500);
  }
});

test('hiragana and common kanji fold to themselves, alone and beside what does not', () => {
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index));
  for (const character of [...from(0x3041, 0x3093), ...from(0x4e00, 0x9fff)]) {
    expect(foldSearchText(character)).toBe(character);
    expect(foldSearchText(`Ａ${character}`)).toBe(`a${character}`);
  }
});
