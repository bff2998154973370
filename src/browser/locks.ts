/**
 * Runs `work` while this tab holds a lock (Web Locks). With `ifAvailable`, `work` gets null while another tab holds it.
 * Locks exist only in secure contexts and where storage is allowed; without them, other tabs are not known, and `work`
 * runs at once. Throws what `work` throws, or the reason of `signal`.
 */
export async function withLock<Value>(
  name: string,
  options: LockOptions,
  work: (lock: Lock | null | undefined) => Value | Promise<Value>,
): Promise<Value> {
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work(undefined);
  let isAnswered = false;
  try {
    return await locks.request(name, options, (lock) => {
      isAnswered = true;
      return work(lock);
    });
  } catch (error) {
    if (isAnswered || options.signal?.aborted) throw error;
    return work(undefined);
  }
}
