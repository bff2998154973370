import * as v from 'valibot';

/**
 * The one clean-up of texts that others see. What remains of a text is visible, reads in the order in which it is
 * written, and is in NFC. Emoji sequences, ideographic variants and joiners of scripts that need them stay.
 */

/**
 * Characters without a glyph, as the inside of a class: what Unicode lets fonts ignore, noncharacters, format characters
 * (`Cf`) except the Arabic and other number signs, which are visible, and the object replacement character.
 */
const UNSEEN = String.raw`\p{DI}\p{NChar}\ufff9-\ufffc\u{13430}-\u{1343f}`;
/** Characters that are visible by their properties only: an empty Braille pattern, note head, and hieroglyphs. */
const EMPTY = String.raw`\u2800\u{1d159}\u{13441}\u{13442}`;
/** Scripts in which a joiner changes how letters look. */
const JOINING = 'Arab Syrc Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh';
const INVISIBLE = /* @__PURE__ */ toInvisible();

/** Matches unseen characters, among them bidirectional controls; `$1` is one that has an effect at its position. */
function toInvisible(): RegExp {
  const joining = JOINING.replace(/(\w+) ?/g, String.raw`\p{sc=$1}`);
  const meaningful = [
    // Joins emoji.
    String.raw`(?<=\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier})\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`,
    // Selects a variant of the character before it, such as 葛 with U+E0100.
    String.raw`(?<=[^\p{White_Space}\p{Cc}${UNSEEN}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
    // The flag of a region: a black flag and tags.
    String.raw`\u{1f3f4}[\u{e0030}-\u{e007a}]{1,8}\u{e007f}`,
  ];
  return new RegExp(String.raw`(${meaningful.join('|')})|[${UNSEEN}]`, 'gu');
}
const BLANK = /* @__PURE__ */ new RegExp(`[${EMPTY}]`, 'gu');
const LINE_ENDS = /\r\n?|[\v\f\x85\u2028\u2029]/g;
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** More marks on one letter cover the lines around it. */
const STACKED_MARKS = /(\p{M}{5})\p{M}+/gu;
/** Marks without a letter would attach to the text before them on the page. */
const LEADING = /^[\s\p{M}]+/u;
const VISIBLE = /* @__PURE__ */ new RegExp(String.raw`[^\p{White_Space}\p{Cc}\p{M}${UNSEEN}${EMPTY}]`, 'u');

/** A text of several lines, with LF and tabs. '' if nothing of it is visible. */
export function cleanText(text: string): string {
  return cleanMarkdown(text).replace(LEADING, '').trimEnd();
}

/** Markdown: white space at its beginning and end stays. */
export function cleanMarkdown(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '$1')
    .replace(BLANK, ' ')
    .normalize('NFC')
    .replace(STACKED_MARKS, '$1');
}

/** A text of one line, with single spaces; an ideographic space between two words stays. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/gu, (space) => (space === '\u3000' ? space : ' '));
}

/** A received text as people see it: '' if nothing of it is visible. Others stay as they are; they may be keys. */
export function toVisible(text: string): string {
  return VISIBLE.test(text) ? text : '';
}

/** The length of a text as people count it. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * A field of one line that others see, which may be empty. Its length counts after the clean-up; `problem` is the
 * message for a value that is no text.
 */
/* @__NO_SIDE_EFFECTS__ */
export function lineField(label: string, lengthMax: number, problem = toMissing(label)) {
  return v.pipe(v.string(problem), v.transform(cleanLine), atMost(label, lengthMax));
}

/** `cleanLine` for several lines. */
/* @__NO_SIDE_EFFECTS__ */
export function textField(label: string, lengthMax: number, problem = toMissing(label)) {
  return v.pipe(v.string(problem), v.transform(cleanText), atMost(label, lengthMax));
}

/** A `lineField` in which something has to be visible. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredLine(label: string, lengthMax: number, missing = toMissing(label)) {
  return required(label, lengthMax, missing, cleanLine);
}

/** A `textField` in which something has to be visible. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredText(label: string, lengthMax: number, missing = toMissing(label)) {
  return required(label, lengthMax, missing, cleanText);
}

/* @__NO_SIDE_EFFECTS__ */
function required(label: string, lengthMax: number, missing: string, clean: (text: string) => string) {
  return v.pipe(
    v.optional(v.string(missing), ''),
    v.transform(clean),
    v.nonEmpty(missing),
    atMost(label, lengthMax),
  );
}

/* @__NO_SIDE_EFFECTS__ */
function atMost(label: string, lengthMax: number) {
  return v.check(
    (text: string) => countCharacters(text) <= lengthMax,
    `${label}は${lengthMax.toLocaleString('ja-JP')}文字以内で入力してください。`,
  );
}

function toMissing(label: string): string {
  return `${label}を入力してください。`;
}
