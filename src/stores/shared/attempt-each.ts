import { type AttemptOptions, attempt } from './attempt.ts';

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
