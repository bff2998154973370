import { ApiError, cutMessage } from '../../contract/calls/errors.ts';
import { toFailureText } from './failure-texts.ts';

/**
 * The messages shown for a failed call: every message of the reply (spec §8), or what went wrong and what to do. The
 * visitor's connection is mentioned only when no reply came; cancelling shows nothing.
 */
export function toErrorMessages(error: unknown): string[] {
  if (!(error instanceof ApiError))
    return ['問題が起きました。ページを読み込み直して、もう一度お試しください。'];
  if (error.kind === 'cancelled') return [];
  if (error.fields.length > 0 && error.status !== 0) return error.fields.map(({ message }) => message);
  return [toReason(error)];
}

function toReason({ status, retryAfterSec, cause, kind }: ApiError): string {
  const isBroken = kind === 'unavailable' || kind === 'unexpected-reply';
  return toFailureText({ status, retryAfterSec, isTimeout: status === 0 && isTimeout(cause), isBroken });
}

/** The browser gave up waiting. */
function isTimeout(cause: unknown): boolean {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return [cause, inner].some((error) => error instanceof Error && error.name === 'TimeoutError');
}

/** One message per key of the reply, as `key: message` (spec §8); without a readable reply, what to do. */
export function toKeyedMessages(error: unknown): string[] {
  if (!(error instanceof ApiError) || error.status === 0 || error.fields.length === 0)
    return toErrorMessages(error);
  const { fields } = error;
  return [...new Set(fields.map(({ key }) => key))].map((key) => {
    const messages = fields.filter((field) => field.key === key).map(({ message }) => message);
    return cutMessage(`${key}: ${[...new Set(messages)].join(' ')}`);
  });
}
