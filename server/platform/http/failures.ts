import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import type { Logger } from 'pino';
import { HOUR_SEC } from '../../../contract/values/time-units.ts';
import { classifyFailure, isTransient } from '../database/drivers/failure.ts';
import type { ApiEnv } from './context.ts';
import { Busy } from '../limits/busy.ts';
import { TooManyRequests } from '../limits/rate-limits.ts';
import { Problem, notFound } from './problem.ts';
import { hideSecrets } from './secrets-in-urls.ts';
import { FAULT_TEXT } from './reply-texts.ts';

const BUSY_REPLY = {
  status: 503,
  retryAfterSec: 5,
  detail: 'ただいま混み合っています。しばらくしてからもう一度お試しください。',
} as const;
/** A person has to free disk space. */
const FULL_REPLY = {
  status: 507,
  retryAfterSec: 60,
  detail: 'サーバーの保存容量が足りません。時間をおいてもう一度お試しください。',
} as const;
const FAULT_REPLY = {
  status: 500,
  retryAfterSec: null,
  detail: FAULT_TEXT,
} as const;

/** The reply to a failure that no caller has caused, on every path of the site. `retryAfterSec` is null for a fault of ours. */
export function toFailureReply(failure: ReturnType<typeof classifyFailure>) {
  if (failure === undefined) return FAULT_REPLY;
  return failure === 'full' ? FULL_REPLY : BUSY_REPLY;
}

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
    if (error instanceof Busy) return answer(context, BUSY_REPLY);
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
    return answer(context, toFailureReply(failure));
  };
}

export const answerUnknown: NotFoundHandler<ApiEnv> = (context) => {
  context.header('Cache-Control', 'no-store');
  return context.json(notFound().fields, 404);
};

function answer(
  context: Context<ApiEnv>,
  { status, retryAfterSec, detail }: ReturnType<typeof toFailureReply>,
) {
  if (retryAfterSec !== null) context.header('Retry-After', String(retryAfterSec));
  return context.json({ detail }, status);
}

/** A duration in words. */
function toWait(seconds: number): string {
  if (seconds < 60) return `${seconds}秒`;
  return seconds <= 2 * HOUR_SEC ? `${Math.ceil(seconds / 60)}分` : `約${Math.ceil(seconds / HOUR_SEC)}時間`;
}
