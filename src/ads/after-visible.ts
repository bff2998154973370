import type { Clock } from '../lib/clock.ts';

/** Calls back once the page has been visible for `ms` in total; returns the function that cancels it. */
export function afterVisible(clock: Clock, ms: number, callBack: () => void): () => void {
  let leftMs = ms;
  let visibleAt: number | null = null;
  let callOff = () => {};
  const stop = () => {
    callOff();
    document.removeEventListener('visibilitychange', count);
  };
  function count(): void {
    callOff();
    if (visibleAt !== null) leftMs -= clock.now() - visibleAt;
    visibleAt = document.visibilityState === 'hidden' ? null : clock.now();
    if (visibleAt === null) return;
    callOff = clock.after(Math.max(leftMs, 0), () => {
      stop();
      callBack();
    });
  }
  document.addEventListener('visibilitychange', count);
  count();
  return stop;
}
