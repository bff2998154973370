import type { FormShape } from '../../../contract/calls/endpoint.ts';
import { Problem } from './problem.ts';

/** Parts of one form, files and texts together. */
export const PARTS_MAX = 38;
/** The parser's own limit for a part's header, which cannot be configured. */
const PART_HEADER_BYTES_MAX = 16 * 1024;
export const TEXT_BYTES_MAX = 64 * 1024;
/** RFC 2046 §5.1.1 allows a boundary of 70; the rest of the header is short. */
const TYPE_LENGTH_MAX = 300;
/** The length of a name in a reply, long enough to recognise it. */
const NAME_LENGTH_MAX = 100;

/**
 * Checks the headers of a form before its body is read. Throws `Problem`: 415 for another type or a compressed body,
 * 400 without a boundary, 413 for a length that no form of this shape can have.
 */
export function checkFormHead(headers: Headers, shape: FormShape): void {
  const type = headers.get('content-type') ?? '';
  if (!/^multipart\/form-data(?:\s*;|\s*$)/i.test(type)) {
    throw new Problem(415, 'Content-Type は multipart/form-data にしてください。');
  }
  if (!/^(?:identity)?$/i.test(headers.get('content-encoding') ?? '')) {
    throw new Problem(415, '圧縮された本文は受け取れません。');
  }
  if (type.length > TYPE_LENGTH_MAX || !/;\s*boundary=/i.test(type)) throw unreadable();
  if (Number(headers.get('content-length') ?? 0) > toBodyBytesMax(shape)) throw tooLong(shape);
}

/** The maximum size of a form of this shape. */
export function toBodyBytesMax({ files, fileBytesMax }: FormShape): number {
  return files.length * fileBytesMax + PARTS_MAX * (PART_HEADER_BYTES_MAX + TEXT_BYTES_MAX);
}

/** The whole form is too long; if it has only one file, the reply names that file. */
export function tooLong({ files, fileBytesMax }: FormShape): Problem {
  return tooLarge(files.length === 1 ? (files[0] ?? 'detail') : 'detail', fileBytesMax);
}

export function tooLarge(name: string, bytesMax: number): Problem {
  const size =
    bytesMax < 1024 * 1024 ? `${Math.floor(bytesMax / 1024)}KB` : `${Math.floor(bytesMax / 1024 / 1024)}MB`;
  return new Problem(413, { [toKey(name)]: `${size}までです。` });
}

export function tooManyParts(): Problem {
  return new Problem(400, `フォームの項目は${PARTS_MAX}個までです。`);
}

/** Checks a part before its content is read; `seen` are the files that came before it. */
export function findPartProblem(
  name: string | undefined,
  kind: 'file' | 'text',
  { files, texts = [] }: FormShape,
  seen: ReadonlySet<string>,
): Problem | undefined {
  const isFile = name !== undefined && files.includes(name);
  const isText = name !== undefined && texts.includes(name);
  if (!isFile && !isText) return refused(name, 'この項目は受け付けていません。');
  if (kind === 'text' && !isText) return refused(name, 'ファイルを送信してください。');
  if (kind === 'file' && !isFile) return refused(name, 'ファイルではなく文字列を送信してください。');
  return kind === 'file' && seen.has(name)
    ? refused(name, '同じ名前のファイルは1つだけ送信してください。')
    : undefined;
}

export function refused(name: string | undefined, reason: string): Problem {
  return new Problem(400, { [toKey(name)]: reason });
}

export function unreadable(): Problem {
  return new Problem(400, 'フォームを最後まで読み取れませんでした。もう一度送信してください。');
}

/** A part without a name matches no field. */
function toKey(name: string | undefined): string {
  return name === undefined ? 'detail' : [...name.toWellFormed()].slice(0, NAME_LENGTH_MAX).join('');
}
