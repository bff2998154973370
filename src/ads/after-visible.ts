import type { Clock } from '../lib/clock.ts';

/** Calls back once the page has been visible for `ms` in total; returns the function that cancels it. */
export function afterVisible(clock: Clock, ms: number, callBack: () => void): () => void {
  let leftMs = ms;
  let shownAt: number | null = null;
  let callOff = () => {};
  const stop = () => {
    callOff();
    document.removeEventListener('visibilitychange', follow);
  };
  function follow(): void {
    callOff();
    if (shownAt !== null) leftMs -= clock.now() - shownAt;
    shownAt = document.visibilityState === 'hidden' ? null : clock.now();
    if (shownAt === null) return;
    callOff = clock.after(Math.max(leftMs, 0), () => {
      stop();
      callBack();
    });
  }
  document.addEventListener('visibilitychange', follow);
  follow();
  return stop;
}
