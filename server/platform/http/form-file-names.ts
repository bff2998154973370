export const FILE_NAME_LENGTH_MAX = 200;

/** Browsers escape these three in a part's header (HTML, multipart/form-data encoding algorithm). */
const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '', '%0A': '' };
/** Control characters and bidi marks, which could make a name read as another one. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * A file name fit for display: NFC, without path, one line, at most 200 characters, extension kept. Never part of a
 * path on this host. '' when nothing remains.
 */
export function toFileName(given: string | undefined): string {
  const name = (given ?? '')
    .toWellFormed()
    .replace(/%(?:22|0D|0A)/gi, (escape) => ESCAPES[escape.toUpperCase()] ?? '')
    .normalize('NFC')
    .replace(UNSAFE_CHARACTERS, '')
    .replace(/^.*[/\\]/s, '')
    .trim();
  return /^\.*$/.test(name) ? '' : shorten(name);
}

function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= FILE_NAME_LENGTH_MAX) return name;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '';
  return characters.slice(0, FILE_NAME_LENGTH_MAX - [...ending].length).join('') + ending;
}
