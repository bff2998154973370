/** What `withDownloadLock` answers while another tab has the sound in hand. */
export const TAKEN = Symbol('taken');

/** One download of a sound at a time, in all tabs (spec §4). Where there are no locks, in this tab. */
export async function withDownloadLock<Value>(
  soundId: string,
  work: () => Promise<Value>,
): Promise<Value | typeof TAKEN> {
  // Only secure contexts have them.
  const { locks } = navigator as { locks?: LockManager };
  if (!locks) return work();
  let isAnswered = false;
  try {
    return await locks.request(
      `download:${soundId}`,
      { ifAvailable: true },
      async (lock): Promise<Value | typeof TAKEN> => {
        isAnswered = true;
        return lock ? work() : TAKEN;
      },
    );
  } catch (error) {
    if (isAnswered) throw error;
    // Where storage is forbidden, so are locks.
    return work();
  }
}
