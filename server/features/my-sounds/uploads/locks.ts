import { Problem } from '../../../platform/http/problem.ts';

/** One upload never needs more than a few concurrent calls. */
const WAITING_MAX = 4;

interface Holder {
  requestRelease: () => void;
  readonly waiting: (() => void)[];
}

/** The interface that `Locker` of @tus/server requires; its own implementation polls while it waits. */
interface UploadLock {
  lock(signal: AbortSignal, requestRelease: () => Promise<void> | void): Promise<void>;
  unlock(): Promise<void>;
}

/**
 * One call at a time per upload in this process: a new call asks the current one to stop, which stores the bytes that
 * it has received. Calls in other processes do not wait; the database decides which of them receives a piece. Throws
 * `Problem` 409 when too many calls are waiting.
 */
export interface UploadLocks {
  newLock(id: string): UploadLock;
  /** Runs work that cannot be stopped. Concurrent calls that ask for the same share one run and its result. */
  withLock<Result>(id: string, parameters: unknown, work: () => Promise<Result>): Promise<Result>;
}

export function createUploadLocks(): UploadLocks {
  const holders = new Map<string, Holder>();
  const runs = new Map<string, Promise<unknown>>();

  async function acquire(id: string, requestRelease: () => void): Promise<void> {
    const holder = holders.get(id);
    if (holder === undefined) return void holders.set(id, { requestRelease, waiting: [] });
    if (holder.waiting.length >= WAITING_MAX) throw inUse();
    holder.requestRelease();
    await new Promise<void>((resolve) => holder.waiting.push(resolve));
    holder.requestRelease = requestRelease;
    if (holder.waiting.length > 0) requestRelease();
  }

  /** Passes the lock directly to the next waiter; no other call can take it in between. */
  function release(id: string): void {
    const next = holders.get(id)?.waiting.shift();
    if (next === undefined) holders.delete(id);
    else next();
  }

  async function runLocked<Result>(id: string, work: () => Promise<Result>): Promise<Result> {
    await acquire(id, () => undefined);
    try {
      return await work();
    } finally {
      release(id);
    }
  }

  function withLock<Result>(id: string, parameters: unknown, work: () => Promise<Result>): Promise<Result> {
    const key = JSON.stringify([id, parameters]);
    const running = runs.get(key) as Promise<Result> | undefined;
    if (running !== undefined) return running;
    const run = runLocked(id, work).finally(() => runs.delete(key));
    runs.set(key, run);
    return run;
  }

  return {
    newLock: (id) => ({
      lock: (_, requestRelease) => acquire(id, () => void requestRelease()),
      unlock: () => Promise.resolve(release(id)),
    }),
    withLock,
  };
}

function inUse(): Problem {
  return new Problem(409, {
    upload: 'このアップロードは、別の通信で処理しています。しばらくしてからもう一度お試しください。',
  });
}
