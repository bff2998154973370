import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import type { Logger } from 'pino';
import type { ApiEnv } from './context.ts';
import { Busy } from '../ports/busy.ts';
import { TooMany } from '../ports/rate-limits.ts';
import { Problem, notFound } from './problem.ts';
import { hideSecrets } from './secrets-in-urls.ts';

const RETRY_AFTER_SECONDS = 5;
/** Node's and PostgreSQL's ways of saying that the database cannot be reached just now (57P0x, class 08, 53300). */
const UNREACHABLE = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|ETIMEDOUT|57P0\d|08\w{3}|53300)$/;

/** Ways of saying that the disk is full, or one's share of it: Node's, PostgreSQL's (SQLSTATE), SQLite's (result code). */
const DISK_FULL = /^(?:ENOSPC|EDQUOT|53100)$/;
const SQLITE_FULL = 13;
/** SQLite's ways of saying that somebody else is writing: the operator's commands, a backup. */
const SQLITE_LOCKED: ReadonlySet<unknown> = new Set([5, 6]);

/** Turns whatever a route threw into the one error shape. Only surprises are logged; no reply shows a stack. */
export function answerFailure(logger: Logger): ErrorHandler<ApiEnv> {
  return (error, context) => {
    context.header('Cache-Control', 'no-store');
    if (error instanceof Problem) return context.json(error.fields, error.status);

    if (error instanceof TooMany) {
      context.header('Retry-After', String(error.retryAfterSec));
      return context.json(
        { detail: `操作の回数が多すぎます。${toWait(error.retryAfterSec)}後にもう一度お試しください。` },
        429,
      );
    }
    if (error instanceof Busy) return answerBusy(context);
    const requestId = context.get('requestId');
    logger.error(
      { err: error, requestId, method: context.req.method, path: hideSecrets(context.req.path) },
      'api call failed',
    );
    if (isUnreachable(error)) return answerBusy(context);
    if (isDiskFull(error)) {
      return context.json(
        { detail: 'サーバーの保存容量が足りません。時間をおいてもう一度お試しください。' },
        507,
      );
    }
    return context.json(
      { detail: 'サーバーでエラーが発生しました。時間をおいてもう一度お試しください。' },
      500,
    );
  };
}

export const answerUnknown: NotFoundHandler<ApiEnv> = (context) => {
  context.header('Cache-Control', 'no-store');
  return context.json(notFound().fields, 404);
};

function answerBusy(context: Context<ApiEnv>) {
  context.header('Retry-After', String(RETRY_AFTER_SECONDS));
  return context.json({ detail: 'ただいま混み合っています。しばらくしてからもう一度お試しください。' }, 503);
}

/** A wait as people say it. */
function toWait(seconds: number): string {
  return seconds < 60 ? `${seconds}秒` : `${Math.ceil(seconds / 60)}分`;
}

function isDiskFull(error: Error): boolean {
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: unknown };
  return (typeof code === 'string' && DISK_FULL.test(code)) || errcode === SQLITE_FULL;
}

function isUnreachable(error: Error): boolean {
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: unknown };
  return (
    SQLITE_LOCKED.has(errcode) ||
    (typeof code === 'string' && UNREACHABLE.test(code)) ||
    /^timeout exceeded when trying to connect|^Connection terminated/.test(error.message)
  );
}
