import { ApiError } from '../../../contract/errors.ts';
import { type AttemptOptions, attempt } from '../../stores/shared/attempt.ts';

/**
 * Like `attempt`, for one item after another until one of them is left to do. Returns whether all are done. Never throws.
 */
export async function attemptEach<Item>(
  items: readonly Item[],
  send: (item: Item, signal: AbortSignal) => Promise<unknown>,
  options: Omit<AttemptOptions, 'done'>,
): Promise<boolean> {
  for (const item of items) if (!(await attempt((signal) => send(item, signal), options))) return false;
  return true;
}

/** Whether a decision failed because somebody else was first; what is decided about is then read again. */
export function isDecidedByOthers(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}
