import { ApiError } from '../../contract/errors.ts';

/**
 * What a call answers, or `absent` where the host does not know the call: a section that only
 * our own host can fill is left out, and the page stands. An outage still throws.
 */
export async function orAbsent<Value>(call: Promise<Value>, absent: Value): Promise<Value> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError && error.kind !== 'unavailable') return absent;
    throw error;
  });
}
