/** Texts of tags, whose declared encoding is often wrong. */

/** The first value of a text frame's content (ID3v2.4 §4): an encoding byte and one or more values. */
export function readId3Text(content: Buffer): string {
  const encoding = content[0] ?? 0;
  // Some writers unsynchronise a text without a flag.
  const isSplit = content.toString('latin1', 1, 4) === '\xff\0\xfe';
  const text = isSplit ? resynchronise(content.subarray(1)) : content.subarray(1);
  return untilNul(encoding === 1 || encoding === 2 ? readUtf16(text, encoding === 2) : guessText(text));
}

/**
 * Reverts unsynchronisation (ID3v2.4 §6.1). A writer that only sets the flag leaves sequences that do not exist in
 * unsynchronised data.
 */
export function resynchronise(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return /\xff[\xe0-\xff]/.test(text) ? bytes : Buffer.from(text.replaceAll('\xff\0', '\xff'), 'latin1');
}

/** The first two bytes of UTF-16 declare its byte order; without them, the writer was Windows. */
function readUtf16(text: Buffer, isBigEndian: boolean): string {
  const mark = text.toString('latin1', 0, 2);
  const isBig = mark === '\xfe\xff' || (isBigEndian && mark !== '\xff\xfe');
  return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(text);
}

/** From this share on, characters that no text has mean that it was decoded wrongly. */
const ODD_SHARE_MIN = 0.25;

/** Whether a text can be a title: bytes of another encoding become U+FFFD, control or unassigned characters. */
export function isCredibleTitle(text: string): boolean {
  const characters = [...text];
  const odd = characters.filter((character) => /(?![\t\n\r])[\p{Cc}\p{Cn}\p{Co}\p{Cs}]/u.test(character));
  return !text.includes('\ufffd') && odd.length < characters.length * ODD_SHARE_MIN;
}

/**
 * Decodes bytes that may be UTF-8, Shift_JIS (written by old Japanese programs instead of Latin-1) or Latin-1.
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
