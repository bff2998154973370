/**
 * Names as a file for a bank has them (全銀協 総合振込). The form of a payee's name and the file share this rule, so that
 * every accepted name can be paid.
 */

/** Bytes of a payee's name. */
export const PAYEE_LENGTH_MAX = 30;

/**
 * The characters of a Zengin file: half-width kana without ｦ, small kana and the long vowel mark, capital letters,
 * digits, the space and `( ) - .`. Each is one byte in Shift_JIS. Banks accept others too, but not all banks the same.
 */
const PERMITTED = /^(?:[ｳｶ-ﾄﾊ-ﾎ]ﾞ|[ﾊ-ﾎ]ﾟ|[ｱ-ﾝA-Z0-9 ().-])*$/;

const FULL_WIDTH =
  'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a';
const HALF_WIDTH = 'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜﾝﾞﾟ';
/** Small kana are written large, and kana that accounts do not have as those that sound the same. */
const REPLACED_FROM = 'ァィゥェォッャュョヮヵヶヲヰヱ';
const REPLACED_BY = 'アイウエオツヤユヨワカケオイエ';
const VOICED_WA: Readonly<Record<string, string>> = { ヷ: 'ヴア', ヸ: 'ヴイ', ヹ: 'ヴエ', ヺ: 'ヴオ' };

/**
 * Text in the characters of a Zengin file: kana half-width and large, letters capital, the long vowel mark and all
 * dashes as `-`, the middle dot as `.`, spaces as one; `さゝき` is `ｻｻｷ`. `null` if it has another character, such as
 * kanji.
 */
export function toZenginText(text: string): string | null {
  const kana = toKatakana(text)
    .replace(/[ヷ-ヺ]/g, (letter) => VOICED_WA[letter] ?? letter)
    .normalize('NFD');
  let repeated = '';
  const converted = Array.from(kana, (character) => {
    // An iteration mark repeats the kana before it without its voicing mark; ゞ brings one of its own.
    const own = /[ゝヽ]/.test(character) && repeated !== '' ? repeated : character;
    if (!/[\u3099\u309a]/.test(own)) repeated = /[ァ-ン]/.test(own) ? own : '';
    const small = REPLACED_FROM.indexOf(own);
    const large = small < 0 ? own : REPLACED_BY.charAt(small);
    const index = FULL_WIDTH.indexOf(large);
    return index < 0 ? large : HALF_WIDTH.charAt(index);
  })
    .join('')
    .replace(/[ー‐‑‒–—―−─]/g, '-')
    .replace(/・/g, '.')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[a-z]/g, (letter) => letter.toUpperCase());
  return PERMITTED.test(converted) ? converted : null;
}

/** Compatibility forms, such as half-width kana, as usual ones, with voicing marks joined to their kana. */
export function toUsualForms(text: string): string {
  return text.replace(/゛/g, '\u3099').replace(/゜/g, '\u309a').normalize('NFKC');
}

/** `toUsualForms`, with hiragana converted to katakana. */
export function toKatakana(text: string): string {
  return toUsualForms(text)
    .replace(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))
    .normalize('NFC');
}
