import { ERRORS } from '@tus/server';
import { Problem, notFound } from '../../../platform/http/problem.ts';

/** Converts a rejection of the protocol library to a `Problem`; unexpected errors stay as they are. */
export function toProtocolProblem(failure: unknown): Error {
  if (failure === ERRORS.INVALID_OFFSET || failure === ERRORS.ABORTED) return wrongOffset();
  const status = (failure as { readonly status_code?: unknown }).status_code;
  if (status === 404 || status === 410) return notFound();
  if (status === 413)
    return new Problem(413, { file: '最初に伝えられたサイズより大きいため、受け取れません。' });
  if (status === 400 || status === 403 || status === 501)
    return new Problem(400, '送信の形式が正しくありません。');
  return failure instanceof Error ? failure : new Error('upload failed', { cause: failure });
}

/** A problem of the request headers, which the library checks first and lists in its reply. */
export function toHeaderProblem(answer: string): Problem {
  const names = /^Invalid ([a-z- ]+)$/i.exec(answer.trim())?.[1]?.split(' ') ?? ['detail'];
  return new Problem(400, Object.fromEntries(names.map((name) => [name, 'この値は正しくありません。'])));
}

function wrongOffset(): Problem {
  return new Problem(409, {
    upload: '続きの位置が合いません。どこまで届いたかを確認してから送信してください。',
  });
}
