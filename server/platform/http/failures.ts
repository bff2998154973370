import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import type { Logger } from 'pino';
import { classifyFailure, isTransient } from '../database/database.ts';
import type { ApiEnv } from './context.ts';
import { Busy, TooManyRequests } from '../limits/limits.ts';
import { Problem, notFound } from './problem.ts';
import { hideSecrets } from './secrets-in-urls.ts';

const RETRY_AFTER_SECONDS = 5;
/** A person has to free disk space. */
const FULL_RETRY_AFTER_SECONDS = 60;

/**
 * Converts any error of a route into the one error format: 503 while the database is busy or unavailable, 507 while a
 * disk is full, both with Retry-After. Only unexpected errors are logged; replies never contain a stack trace.
 */
export function answerFailure(logger: Logger): ErrorHandler<ApiEnv> {
  return (error, context) => {
    context.header('Cache-Control', 'no-store');
    if (error instanceof Problem) return context.json(error.fields, error.status);

    if (error instanceof TooManyRequests) {
      context.header('Retry-After', String(error.retryAfterSec));
      return context.json(
        {
          detail: `${error.reason}${toWait(error.retryAfterSec)}後にもう一度お試しください。${error.hint}`,
        },
        429,
      );
    }
    if (error instanceof Busy) return answerBusy(context);
    const failure = classifyFailure(error);
    logger[isTransient(failure) ? 'warn' : 'error'](
      {
        err: error,
        failure,
        requestId: context.get('requestId'),
        method: context.req.method,
        path: hideSecrets(context.req.path),
      },
      'api call failed',
    );
    if (failure === 'full') {
      context.header('Retry-After', String(FULL_RETRY_AFTER_SECONDS));
      return context.json(
        { detail: 'サーバーの保存容量が足りません。時間をおいてもう一度お試しください。' },
        507,
      );
    }
    if (failure !== undefined) return answerBusy(context);
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

/** A duration in words. */
function toWait(seconds: number): string {
  if (seconds < 60) return `${seconds}秒`;
  return seconds <= 2 * 3_600 ? `${Math.ceil(seconds / 60)}分` : `約${Math.ceil(seconds / 3_600)}時間`;
}
