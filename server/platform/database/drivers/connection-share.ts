import { AsyncLocalStorage } from 'node:async_hooks';
import { Turns } from '../../turns.ts';
import { ConnectionQueueError } from './failure.ts';
import { CONNECTIONS_MAX, CONNECT_TIMEOUT_MS } from './postgres-pool.ts';

/** Connections of the pool that one caller may use at a time; three more callers find one as well. */
const PER_CALLER_MAX = 3;
/** Uses of one caller that may wait; each holds the memory of a request. */
const WAITING_MAX = 500;
/** '' for this process itself. */
const callers = new AsyncLocalStorage<string>();

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
  readonly #turns: Turns;

  constructor(connectionsMax = CONNECTIONS_MAX, waitMs = CONNECT_TIMEOUT_MS) {
    this.#turns = new Turns({
      parallel: connectionsMax,
      perKey: PER_CALLER_MAX,
      waitingPerKeyMax: WAITING_MAX,
      waitMs,
      toRefusal: (why) =>
        new ConnectionQueueError(
          why === 'full'
            ? 'too many uses of the database are waiting'
            : 'waited too long for a connection to the database',
        ),
    });
  }

  /** Uses that wait for their turn. */
  get waitingCount(): number {
    return this.#turns.waitingCount;
  }

  /** Resolves to a function that ends the use. Rejects with `ConnectionQueueError`. */
  async enter(): Promise<() => void> {
    const caller = callers.getStore() ?? '';
    await this.#turns.enter(caller);
    return () => this.#turns.leave(caller);
  }
}
