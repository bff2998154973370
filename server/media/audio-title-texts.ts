/** Texts of tags, whose declared encoding is often wrong. */

/** The first value of a text frame's content (ID3v2.4 §4): an encoding byte and one or more values. */
export function readId3Text(content: Buffer): string {
  const text = content.subarray(1);
  const encoding = content[0] ?? 0;
  return untilNul(encoding === 1 || encoding === 2 ? readUtf16(text, encoding === 2) : guessText(text));
}

/** The first two bytes of UTF-16 declare its byte order; without them, the writer was Windows. */
function readUtf16(text: Buffer, isBigEndian: boolean): string {
  const hasMark = text[0] === 0xfe && text[1] === 0xff;
  return new TextDecoder(isBigEndian || hasMark ? 'utf-16be' : 'utf-16le').decode(text);
}

/**
 * Decodes bytes that may be UTF-8, Shift_JIS (written by old Japanese programs in place of Latin-1) or Latin-1.
 * `isCut`: the last character may be incomplete, as in ID3v1.
 */
export function guessText(bytes: Buffer, isCut = false): string {
  const text = bytes.includes(0) ? bytes.subarray(0, bytes.indexOf(0)) : bytes;
  return (
    decode('utf-8', text, isCut) ??
    [decode('shift_jis', text, isCut)].find((read) => read !== undefined && isLikelyJapanese(read)) ??
    new TextDecoder('windows-1252').decode(text)
  );
}

function decode(encoding: string, bytes: Buffer, isCut: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return undefined;
  }
}

const KANJI = '\\p{Script=Han}\u3005';
const KANA = '\u3041-\u30ff';
/** Kana, two adjacent kanji, or one that is not adjacent to Latin letters: “Prélude” reads as “Pr駘ude”. */
const JAPANESE = new RegExp(
  `[${KANA}]|[${KANJI}]{2}|(?<![A-Za-z])[${KANJI}](?![a-z])|^[\uff61-\uff9f\\s\\d]{3,}$`,
  'u',
);

/**
 * Whether text that decodes as Shift_JIS is Shift_JIS rather than accented Latin letters, which often decode as well.
 */
function isLikelyJapanese(read: string): boolean {
  return !/\p{Co}/u.test(read) && JAPANESE.test(read);
}

export function untilNul(text: string): string {
  return text.replace(/\0[^]*$/, '');
}
