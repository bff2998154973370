import type { Budget } from './target.ts';

/** What `fuzz` passes to its thread. */
export interface Task {
  readonly module: string;
  readonly name: string;
  readonly budget: Budget;
  /** The input that is being read: how many there were, its length, its bytes. */
  readonly current: SharedArrayBuffer;
}

/** Bytes before the input in `Task.current`. */
export const HEAD_BYTES = 8;
