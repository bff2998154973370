import { createDeferred } from './deferred.ts';
import { onPage } from './page-cache.ts';

/**
 * Runs `work` while this tab holds a lock (Web Locks). With `ifAvailable`, `work` gets null while another tab holds it.
 * Locks exist only in secure contexts and where storage is allowed; without them, this tab does not know of
 * others, and `work` runs at once. Throws what `work` throws, or the reason of `signal`.
 *
 * The lock ends with `work`, or when the page is left: Safari 18 keeps it for a page that it has frozen.
 */
export async function withLock<Value>(
  name: string,
  options: LockOptions,
  work: (lock: Lock | null | undefined) => Value | Promise<Value>,
): Promise<Value> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work(undefined);
  let result: Value | Promise<Value> | undefined;
  let isAnswered = false;
  try {
    await locks.request(name, options, (lock) => {
      isAnswered = true;
      result = work(lock);
      return untilPageLeave(result);
    });
  } catch (error) {
    if (isAnswered || options.signal?.aborted) throw error;
    return work(undefined);
  }
  return result as Value | Promise<Value>;
}

/** Resolves with the work, or when the page is left. */
async function untilPageLeave(work: unknown): Promise<void> {
  const left = createDeferred<void>();
  const end = onPage('hide', left.resolve);
  await Promise.race([work, left.promise]).finally(end);
}
