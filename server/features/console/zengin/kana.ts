/**
 * The characters of a Zengin file: half-width kana without ｦ, small kana and the long vowel mark, capital letters,
 * digits, the space and `( ) - .`. Each is one byte in Shift_JIS. Banks accept others too, but not all banks the same.
 */
const PERMITTED = /^(?:[ｳｶ-ﾄﾊ-ﾎ]ﾞ|[ﾊ-ﾎ]ﾟ|[ｱ-ﾝA-Z0-9 ().-])*$/;

const FULL_WIDTH =
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン';
const HALF_WIDTH = 'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝ';
/** Small kana are written large, and kana that accounts do not have as those that sound the same. */
const REPLACED_FROM = 'ァィゥェォッャュョヮヵヶヲヰヱ';
const REPLACED_BY = 'アイウエオツヤユヨワカケオイエ';
const HALVES: ReadonlyMap<string, string> = new Map([
  ...Array.from(FULL_WIDTH, (kana, index) => [kana, HALF_WIDTH.charAt(index)] as const),
  ['\u3099', 'ﾞ'],
  ['\u309a', 'ﾟ'],
]);

/**
 * Text in the characters of a Zengin file: kana half-width and large, letters capital, the long vowel mark and all
 * dashes as `-`, the middle dot as `.`, spaces as one. `null` if it has another character, such as kanji.
 */
export function toZenginText(text: string): string | null {
  const converted = Array.from(toKatakana(text).normalize('NFD'), (character) => {
    const index = REPLACED_FROM.indexOf(character);
    const kana = index < 0 ? character : REPLACED_BY.charAt(index);
    return HALVES.get(kana) ?? kana;
  })
    .join('')
    .replace(/[ー‐‑‒–—―−]/g, '-')
    .replace(/・/g, '.')
    .replace(/\s+/g, ' ')
    .trim()
    .toUpperCase();
  return PERMITTED.test(converted) ? converted : null;
}

/** Compatibility forms as usual ones, and hiragana as katakana. */
export function toKatakana(text: string): string {
  return text.normalize('NFKC').replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60));
}

/** Bytes in Shift_JIS of a text in the characters of a Zengin file. Throws for any other character. */
export function toZenginBytes(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (character) => {
      const code = character.charCodeAt(0);
      // JIS X 0201 has the half-width forms of U+FF61 to U+FF9F from 0xA1 on.
      if (code >= 0xff61 && code <= 0xff9f) return code - 0xff61 + 0xa1;
      if (code >= 0x20 && code < 0x7f) return code;
      throw new Error(`not a character of a Zengin file: U+${code.toString(16)}`);
    }),
  );
}
