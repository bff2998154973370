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
