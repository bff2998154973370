import { cleanLine } from '../../../contract/values/texts.ts';

export const FILE_NAME_LENGTH_MAX = 200;

/** Browsers escape these three in a part's header (HTML, multipart/form-data encoding algorithm). */
const ESCAPES: Readonly<Record<string, string>> = { '%22': '"', '%0D': '', '%0A': '' };

/**
 * A file name fit for display: cleaned, without path, at most 200 characters, extension kept. Never part of a
 * path on this host. '' when nothing remains.
 */
export function toFileName(given: string | undefined): string {
  const unescaped = (given ?? '').replace(/%(?:22|0D|0A)/gi, (escape) => ESCAPES[escape.toUpperCase()] ?? '');
  const name = cleanLine(cleanLine(unescaped).replace(/^.*[/\\]/s, ''));
  return /^\.*$/.test(name) ? '' : shorten(name);
}

function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= FILE_NAME_LENGTH_MAX) return name;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? '';
  return characters.slice(0, FILE_NAME_LENGTH_MAX - [...ending].length).join('') + ending;
}
