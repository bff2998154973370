/** White space, controls, characters without a glyph such as U+200B, and the empty Braille pattern. */
const NOTHING_VISIBLE = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** A text as people see it: '' if nothing of it is visible. Other texts stay as they are; they may be names or keys. */
export function cleanText(text: string): string {
  return NOTHING_VISIBLE.test(text) ? '' : text;
}
