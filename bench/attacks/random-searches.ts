/** The most expensive searches that are known; `{kana}` stands for a random letter, and so on. */
export const SEARCHES: Readonly<Record<string, string>> = {
  'a word': '雨',
  'a word that finds nothing': '{kana}{kana}{kana}{kana}{kana}',
  '16 words': repeat('{latin}{latin}{latin}{latin}{latin}', 16, ' '),
  '33 words of two kanji': repeat('{kanji}{kanji}', 33, ' '),
  '100 kanji': repeat('{kanji}', 100),
  '20 words of kana': repeat('{kana}{kana}{kana}{kana}', 20, ' '),
  '11 words of eight kana': repeat('{kana}'.repeat(8), 11, ' '),
  '100 kana': repeat('{kana}', 100),
};

const LETTERS = {
  kana: [0x3042, 82],
  kanji: [0x4e00, 20_000],
  latin: [0x61, 26],
} as const;

/** The text with random letters in their places. */
export function fillIn(text: string): string {
  return text.replace(/\{(kana|kanji|latin)\}/g, (_, kind: keyof typeof LETTERS) => {
    const [first, count] = LETTERS[kind];
    return String.fromCharCode(first + Math.floor(Math.random() * count));
  });
}

function repeat(part: string, count: number, separator = ''): string {
  return Array<string>(count).fill(part).join(separator);
}
