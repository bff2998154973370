import { ApiError } from '../../contract/errors.ts';

/** What a call answers, or `absent` when it fails in any way: a part that the page can do without. */
export type OrAbsent = <Value>(call: Promise<Value>, absent: Value) => Promise<Value>;

/** `onAbsent` is told why a part is missing. Errors that are no `ApiError` are thrown. */
export function createOrAbsent(onAbsent: (error: ApiError) => void): OrAbsent {
  return (call, absent) =>
    call.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      onAbsent(error);
      return absent;
    });
}

/** What a call answers, or `absent` where the host refuses it (4xx). An outage still throws. */
export async function unlessRefused<Value>(call: Promise<Value>, absent: Value): Promise<Value> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return absent;
    throw error;
  });
}

/**
 * Whether asking again may help: no answer, a failure of the host, a reply that makes no sense, or one that says
 * nothing about what was asked for (408 Request Timeout, 429 Too Many Requests).
 */
export function isOutage({ kind, status }: ApiError): boolean {
  return kind === 'unavailable' || kind === 'unexpected-reply' || status === 408 || status === 429;
}
