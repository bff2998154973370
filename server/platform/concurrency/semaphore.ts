import { Busy } from '../limits/busy.ts';
import { Turns } from '../turns.ts';

/** Limits concurrency. A bounded number of callers wait in their order; the rest get `Busy`. */
export function createSemaphore(parallel: number, waitingMax: number): Turns {
  return new Turns({ parallel, waitingMax, toRefusal: () => new Busy() });
}
