import type { ChildProcess } from 'node:child_process';
import type { Server as HttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import { toAddressGroup } from '../platform/http/http.ts';
import { toShare } from './connections.ts';
import type { Door } from './listen.ts';

/** Goes to a worker together with a connection, and comes back with `isTaken`. */
interface Handover {
  readonly kind: 'connection';
  readonly id: number;
}

interface Answer extends Handover {
  /** False when the worker takes no more connections. It has read nothing of this one. */
  readonly isTaken: boolean;
}

export interface HandOverOptions {
  readonly host: string;
  readonly port: number;
  /** Limit for the connections that no worker has taken yet; one address has its share of them. */
  readonly waitingMax: number;
  /** Behind a proxy, all connections have its address. */
  readonly isBehindProxy: boolean;
  /** Shorter in tests. */
  readonly waitLimitMs?: number;
  /** Called with the number of connections that no worker could take, at most once a minute. */
  readonly report?: (counts: { readonly closed: number; readonly err?: Error }) => void;
}

export interface HandOver {
  /** Hands connections to a worker from now on, until it takes no more or ends. */
  add(worker: ChildProcess): void;
  /** Refuses new connections; those that wait go to the workers. */
  close(): void;
}

/** A new worker serves within seconds; one that fails to start again and again takes longer than visitors wait. */
const WAIT_LIMIT_MS = 30_000;
const REPORT_MS = 60_000;

/**
 * The primary's end: accepts connections and hands them to the workers in turn, one at a time to each. It reads nothing
 * and holds a connection until a worker has taken it, so that the next worker gets those of one that died.
 */
export async function openHandOver(options: HandOverOptions): Promise<HandOver> {
  const { host, waitingMax, isBehindProxy, waitLimitMs = WAIT_LIMIT_MS, report } = options;
  const perAddress = toShare(waitingMax);
  const server = createServer({ pauseOnConnect: true, noDelay: true });
  /** Connections by address. */
  const groups = new Map<string, number>();
  const waiting = new Set<Socket>();
  const sent = new Map<number, { readonly socket: Socket; readonly worker: ChildProcess }>();
  const workers = new Set<ChildProcess>();
  /** Workers that have taken what they were handed, the next one first. */
  const free: ChildProcess[] = [];
  let lastId = 0;
  let closed = 0;
  let reportedAt = -Infinity;

  function countClosed(err?: Error): void {
    closed += 1;
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    reportedAt = now;
    report?.({ closed, ...(err && { err }) });
    closed = 0;
  }

  function accept(socket: Socket): void {
    const group = isBehindProxy ? '' : toAddressGroup(socket.remoteAddress ?? '');
    const size = groups.get(group) ?? 0;
    if (!isBehindProxy && size >= perAddress) {
      countClosed();
      socket.destroy();
      return;
    }
    groups.set(group, size + 1);
    socket.setTimeout(waitLimitMs, () => {
      countClosed();
      socket.destroy();
    });
    socket.once('close', () => {
      const left = (groups.get(group) ?? 0) - 1;
      if (left > 0) groups.set(group, left);
      else groups.delete(group);
      waiting.delete(socket);
      for (const [id, { socket: other, worker }] of sent) if (other === socket) settle(id, worker);
    });
    waiting.add(socket);
    handOut();
  }

  function handOut(): void {
    for (const socket of waiting) {
      const worker = free.shift();
      if (worker === undefined) return;
      send(worker, socket);
    }
  }

  function send(worker: ChildProcess, socket: Socket): void {
    const id = (lastId += 1);
    waiting.delete(socket);
    sent.set(id, { socket, worker });
    const message: Handover = { kind: 'connection', id };
    // If this fails, the worker has ended, and `close` follows.
    worker.send(message, socket, { keepOpen: true }, () => undefined);
  }

  /** The worker is free again. */
  function settle(id: number, worker: ChildProcess): void {
    if (!sent.delete(id)) return;
    if (workers.has(worker)) free.push(worker);
    handOut();
  }

  function takeBack(socket: Socket): void {
    if (server.listening) waiting.add(socket);
    else socket.destroy();
  }

  function remove(worker: ChildProcess): void {
    workers.delete(worker);
    const index = free.indexOf(worker);
    if (index !== -1) free.splice(index, 1);
  }

  server.maxConnections = waitingMax;
  server.on('connection', accept);
  server.on('drop', () => countClosed());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  server.on('error', countClosed);

  return {
    add(worker) {
      if (!worker.connected) return;
      worker.on('message', (message) => {
        if (!isConnection(message)) return;
        const { id, isTaken } = message as Answer;
        const socket = sent.get(id)?.socket;
        if (!isTaken) remove(worker);
        if (isTaken) socket?.destroy();
        else if (socket !== undefined) takeBack(socket);
        settle(id, worker);
      });
      // Unlike `exit`, this comes after the last message; `disconnect` does not come while a connection is on its way.
      worker.once('close', () => {
        remove(worker);
        for (const [id, { socket, worker: other }] of sent) {
          if (other !== worker) continue;
          sent.delete(id);
          takeBack(socket);
        }
        handOut();
      });
      workers.add(worker);
      free.push(worker);
      handOut();
    },
    close() {
      server.close();
      const all = [...workers];
      for (const [index, socket] of [...waiting].entries()) {
        const worker = all[index % all.length];
        if (worker === undefined) socket.destroy();
        else send(worker, socket);
      }
    },
  };
}

/** The worker's end: the connections that the primary hands over are those of `server`. */
export function openWorkerDoor(server: HttpServer): Door {
  const open = new Set<Socket>();
  let onceEmpty: (() => void) | undefined;
  process.on('message', (message, socket: Socket | undefined) => {
    if (!isConnection(message)) return;
    const isTaken = onceEmpty === undefined;
    process.send?.({ kind: 'connection', id: message.id, isTaken } satisfies Answer);
    if (socket === undefined) return; // Its client has gone.
    if (!isTaken) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (open.size === 0) onceEmpty?.();
    });
    // As for the connections that an http.Server accepts.
    socket.allowHalfOpen = true;
    server.emit('connection', socket);
  });
  // From here on, http.Server closes connections whose requests take too long.
  server.emit('listening');
  return {
    close: () =>
      new Promise((resolve) => {
        onceEmpty = resolve;
        if (open.size === 0) resolve();
      }),
  };
}

function isConnection(message: unknown): message is Handover {
  return (message as Partial<Handover> | null)?.kind === 'connection';
}
