import { AsyncLocalStorage } from 'node:async_hooks';
import { ConnectionQueueError } from './failure.ts';

/** Connections of the pool that one caller may use at a time; three more callers find one as well. */
const PER_CALLER_MAX = 3;
/** Uses of one caller that may wait; each holds the memory of a request. */
const WAITING_MAX = 500;
/** '' for this process itself. */
const callers = new AsyncLocalStorage<string>();

interface Waiter {
  readonly timer: NodeJS.Timeout;
  readonly enter: () => void;
}

/** Runs work for an address group, which shares the connections of PostgreSQL with the others. */
export function asCaller<Result>(addressGroup: string, work: () => Result): Result {
  return callers.run(addressGroup, work);
}

/** Runs work that several callers wait for: it must not wait for the turn of one of them. */
export function asProcess<Result>(work: () => Result): Result {
  return callers.run('', work);
}

/**
 * Admits as many uses as the pool has connections. Callers are served in turn, and each has a share, so one with many
 * or slow requests leaves connections to the others. This process itself may use all of them.
 */
export class ConnectionShare {
  readonly #connectionsMax: number;
  readonly #waitMs: number;
  /** In the order in which callers are served. No list is empty. */
  readonly #waiting = new Map<string, Waiter[]>();
  readonly #inUse = new Map<string, number>();
  #free: number;

  constructor(connectionsMax: number, waitMs: number) {
    this.#connectionsMax = connectionsMax;
    this.#waitMs = waitMs;
    this.#free = connectionsMax;
  }

  /** Resolves to a function that ends the use. Rejects with `ConnectionQueueError`. */
  async enter(): Promise<() => void> {
    const caller = callers.getStore() ?? '';
    if (this.#mayEnter(caller)) this.#take(caller);
    else await this.#wait(caller);
    return () => this.#leave(caller);
  }

  #mayEnter(caller: string): boolean {
    const share = caller === '' ? this.#connectionsMax : PER_CALLER_MAX;
    return this.#free > 0 && (this.#inUse.get(caller) ?? 0) < share;
  }

  #take(caller: string): void {
    this.#free -= 1;
    this.#inUse.set(caller, (this.#inUse.get(caller) ?? 0) + 1);
  }

  #wait(caller: string): Promise<void> {
    const line = this.#waiting.get(caller) ?? [];
    if (line.length >= WAITING_MAX)
      throw new ConnectionQueueError('too many uses of the database are waiting');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(caller, waiter);
        reject(new ConnectionQueueError('waited too long for a connection to the database'));
      }, this.#waitMs);
      const waiter: Waiter = { timer, enter: resolve };
      line.push(waiter);
      this.#waiting.set(caller, line);
    });
  }

  #remove(caller: string, waiter: Waiter): void {
    const line = this.#waiting.get(caller) ?? [];
    line.splice(line.indexOf(waiter), 1);
    if (line.length === 0) this.#waiting.delete(caller);
  }

  #leave(caller: string): void {
    this.#free += 1;
    const left = (this.#inUse.get(caller) ?? 1) - 1;
    if (left === 0) this.#inUse.delete(caller);
    else this.#inUse.set(caller, left);
    this.#startNext();
  }

  /** The next caller moves to the end of the order. */
  #startNext(): void {
    for (const [caller, line] of this.#waiting) {
      const [waiter] = line;
      if (waiter === undefined || !this.#mayEnter(caller)) continue;
      clearTimeout(waiter.timer);
      line.shift();
      this.#waiting.delete(caller);
      if (line.length > 0) this.#waiting.set(caller, line);
      this.#take(caller);
      waiter.enter();
      return;
    }
  }
}
