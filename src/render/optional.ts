import { ApiError } from '../../contract/calls/errors.ts';

/** Returns the answer of a call, or `absent` on any failure: for parts that the page does not need. */
export type OrAbsent = <Value>(call: Promise<Value>, absent: Value) => Promise<Value>;

/** `onAbsent` receives the reason. Errors other than `ApiError` are thrown. */
export function createOrAbsent(onAbsent: (error: ApiError) => void): OrAbsent {
  return (call, absent) =>
    call.catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      onAbsent(error);
      return absent;
    });
}

/**
 * Like `Promise.all`, except that of several errors the first in this order is thrown: the one that decides what the
 * page is.
 */
export async function inOrder<Calls extends readonly unknown[] | []>(
  calls: Calls,
): Promise<{ -readonly [At in keyof Calls]: Awaited<Calls[At]> }> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** Returns the answer of a call, or `absent` if the host refuses it (4xx). An outage still throws. */
export async function unlessRefused<Value>(call: Promise<Value>, absent: Value): Promise<Value> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError && error.status >= 400 && error.status < 500) return absent;
    throw error;
  });
}

/**
 * Whether a retry may help: no answer, a failure of the host, an unreadable reply, or a status that is temporary (408
 * Request Timeout, 429 Too Many Requests).
 */
export function isOutage({ kind, status }: ApiError): boolean {
  return kind === 'unavailable' || kind === 'unexpected-reply' || status === 408 || status === 429;
}
