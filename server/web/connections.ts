import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toAddressGroup } from '../platform/http/address-limits.ts';
import { BODY_PACE, READ_PACE, createMeter, findTurn, isTooSlow, measure, restart } from './pace.ts';
import type { Call, Meter, Pace } from './pace.ts';

export interface ConnectionOptions {
  /** Limit for all addresses together. */
  readonly maxConnections: number;
  /** Whether connections come from a proxy; each then belongs to the client of its current request. */
  readonly isBehindProxy: boolean;
  /** The client's address of a request. */
  readonly findAddress: (req: IncomingMessage) => string;
  readonly serve: (req: IncomingMessage, res: ServerResponse) => void;
  /** Answers a request whose client has too many in progress. */
  readonly refuse: (res: ServerResponse) => void;
  /** Called with the number of connections that were refused or closed early, at most once a minute. */
  readonly report?: (counts: { readonly refused: number; readonly closed: number }) => void;
  /** Shorter times for tests. */
  readonly limits?: Partial<PeerLimits>;
}

export interface PeerLimits {
  readonly bodyPace: Pace;
  readonly readPace: Pace;
  /** How long a connection may be idle before a new one can replace it. */
  readonly idleGraceMs: number;
}

export interface Connections {
  /** Admits a new connection, closes an idle one for it, or closes it. */
  open(socket: Socket): void;
  /** Serves a request once the previous ones on its connection have been answered. */
  take(req: IncomingMessage, res: ServerResponse): void;
  /** Whether a silent connection waits for the server rather than for its peer. */
  isOurTurn(socket: Socket): boolean;
  stop(): void;
}

/** A school of a thousand stays below a quarter of 4,096. */
const SHARE = 1 / 4;
/** The minimum share, two and a half browsers, when few connections are allowed in total. */
const SHARE_MIN = 16;
/** Pipelined requests that may wait on one connection, and the total length of their heads in characters. */
const PIPELINED_MAX = 16;
const PIPELINED_LENGTH_MAX = 128 * 1024;
const LIMITS: PeerLimits = { bodyPace: BODY_PACE, readPace: READ_PACE, idleGraceMs: 2_000 };
const REPORT_MS = 60_000;
const CHECK_MS = 1_000;

interface Connection {
  readonly socket: Socket;
  readonly meter: Meter;
  /** The address group that it counts for: of its peer, or behind a proxy of the client whose request is in progress. */
  group: string | undefined;
  /** The request in progress. */
  call: Call | undefined;
  waiting: Call[];
  waitingLength: number;
  /** When it was opened, or its last request was answered. */
  idleSince: number;
}

/** How many of `maxConnections` one address may have. */
function toShare(maxConnections: number): number {
  return Math.max(Math.ceil(maxConnections * SHARE), Math.min(maxConnections, SHARE_MIN));
}

/**
 * Shares connections among addresses, and closes peers that are too slow. When an address has used its share, or all
 * connections are in use, a new connection replaces the one that has been idle for the longest time, of its address or
 * of all. Without an idle one, it is refused.
 */
export function createConnections(options: ConnectionOptions): Connections {
  const { maxConnections, isBehindProxy, findAddress, serve } = options;
  const { bodyPace, readPace, idleGraceMs } = { ...LIMITS, ...options.limits };
  const perAddress = toShare(maxConnections);
  const connections = new Map<Socket, Connection>();
  /** Those without a request, the longest idle one first. */
  const idle = new Set<Connection>();
  /** How many connections each group has. */
  const groups = new Map<string, number>();
  let refused = 0;
  let closed = 0;
  let reportedAt = -Infinity;

  let checkedAt = performance.now();
  const timer = setInterval(checkPeers, Math.min(CHECK_MS, bodyPace.graceMs / 2, readPace.graceMs / 2));
  timer.unref();

  /** Returns whether the group is within its share. */
  function join(connection: Connection, group: string): boolean {
    const size = (groups.get(group) ?? 0) + 1;
    groups.set(group, size);
    connection.group = group;
    return size <= perAddress;
  }

  function leave(connection: Connection): void {
    const { group } = connection;
    if (group === undefined) return;
    const left = (groups.get(group) ?? 0) - 1;
    if (left > 0) groups.set(group, left);
    else groups.delete(group);
    connection.group = undefined;
  }

  function remove(connection: Connection): void {
    connections.delete(connection.socket);
    idle.delete(connection);
    leave(connection);
  }

  function cut(connection: Connection): void {
    remove(connection);
    connection.socket.destroy();
  }

  /** Closes peers that move fewer bytes than `bodyPace` and `readPace` require. */
  function checkPeers(): void {
    const now = performance.now();
    const passedMs = now - checkedAt;
    checkedAt = now;
    for (const connection of connections.values()) {
      const { meter, socket, call } = connection;
      measure(meter, socket, call, passedMs);
      if (isTooSlow(meter, socket, meter.kind === 'sending' ? bodyPace : readPace)) cut(connection);
    }
    if (refused + closed === 0 || now - reportedAt < REPORT_MS) return;
    reportedAt = now;
    options.report?.({ refused, closed });
    refused = 0;
    closed = 0;
  }

  /** Closes the connection of `group`, or of all, that has been idle for the longest time; false when there is none. */
  function closeIdle(group?: string): boolean {
    const idleSinceMax = performance.now() - idleGraceMs;
    for (const connection of idle) {
      if (connection.idleSince > idleSinceMax) return false;
      if (group !== undefined && connection.group !== group) continue;
      closed += 1;
      cut(connection);
      return true;
    }
    return false;
  }

  function open(socket: Socket): void {
    const connection: Connection = {
      socket,
      meter: createMeter(),
      group: undefined,
      call: undefined,
      waiting: [],
      waitingLength: 0,
      idleSince: performance.now(),
    };
    connections.set(socket, connection);
    idle.add(connection);
    socket.once('close', () => remove(connection));
    const group = isBehindProxy ? undefined : toAddressGroup(socket.remoteAddress ?? '');
    const isOwnFull = group !== undefined && !join(connection, group);
    if (isOwnFull ? closeIdle(group) : connections.size <= maxConnections || closeIdle()) return;
    refused += 1;
    cut(connection);
  }

  function take(req: IncomingMessage, res: ServerResponse): void {
    const connection = connections.get(req.socket);
    // Closed while a chunk with several requests was being processed.
    if (connection === undefined) return;
    if (connection.call === undefined) return begin(connection, { req, res });
    connection.waiting.push({ req, res });
    connection.waitingLength += countHead(req);
    const isTooMuch =
      connection.waiting.length > PIPELINED_MAX || connection.waitingLength > PIPELINED_LENGTH_MAX;
    if (isTooMuch) cut(connection);
  }

  function begin(connection: Connection, call: Call): void {
    connection.call = call;
    idle.delete(connection);
    restart(connection.meter);
    call.res.once('close', () => end(connection));
    if (isBehindProxy && !join(connection, toAddressGroup(findAddress(call.req)))) {
      refused += 1;
      return options.refuse(call.res);
    }
    serve(call.req, call.res);
  }

  function end(connection: Connection): void {
    const { socket } = connection;
    connection.call = undefined;
    connection.idleSince = performance.now();
    if (!connections.has(socket) || !socket.writable) return;
    if (isBehindProxy) leave(connection);
    const next = connection.waiting.shift();
    if (next === undefined) {
      idle.add(connection);
      return;
    }
    connection.waitingLength -= countHead(next.req);
    begin(connection, next);
  }

  return {
    open,
    take,
    isOurTurn(socket) {
      return findTurn(socket, connections.get(socket)?.call) === 'server';
    },
    stop() {
      clearInterval(timer);
    },
  };
}

function countHead({ url = '', rawHeaders }: IncomingMessage): number {
  return rawHeaders.reduce((length, part) => length + part.length, url.length);
}
