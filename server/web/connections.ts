import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toAddressGroup } from '../platform/http/http.ts';
import { BODY_PACE, READ_PACE, createMeter, findTurn, measure, restart, toPace } from './pace.ts';
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
  /** How long a new connection or a slow peer is protected from eviction. */
  readonly evictionGraceMs: number;
}

export interface Connections {
  /** Admits a new connection, evicts another one for it, or closes it. */
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
const LIMITS: PeerLimits = { bodyPace: BODY_PACE, readPace: READ_PACE, evictionGraceMs: 2_000 };
/** A faster peer is not evicted, unless its address holds more than twice as many connections as the new one's. */
const FAST_BYTES_PER_SEC = 10_000;
/** How long a ranking of all connections is reused. */
const RANKING_MS = 100;
const REPORT_MS = 60_000;

interface Connection {
  readonly socket: Socket;
  readonly meter: Meter;
  group: Group;
  /** The request in progress. */
  call: Call | undefined;
  waiting: Call[];
  waitingLength: number;
  /** When it was opened, or its last request was answered. */
  idleSince: number;
  hasServed: boolean;
}

/** The connections of one IPv4 address or IPv6 /64, or a proxy's idle ones. */
interface Group {
  readonly name: string;
  size: number;
}

/** How many of `maxConnections` one address may have. */
export function toShare(maxConnections: number): number {
  return Math.max(Math.ceil(maxConnections * SHARE), Math.min(maxConnections, SHARE_MIN));
}

/**
 * Shares connections among addresses. When an address has used its share, or all connections are in use, a new
 * connection evicts the least active one: idle ones first, then slow senders and readers, starting with those of the
 * address with the most. Requests that the server is working on are never evicted.
 */
export function createConnections(options: ConnectionOptions): Connections {
  const { maxConnections, isBehindProxy, findAddress, serve } = options;
  const { bodyPace, readPace, evictionGraceMs } = { ...LIMITS, ...options.limits };
  const perAddress = toShare(maxConnections);
  const connections = new Map<Socket, Connection>();
  const groups = new Map<string, Group>();
  let ranking: Connection[] = [];
  let rankedAt = -Infinity;
  let refused = 0;
  let closed = 0;
  let reportedAt = -Infinity;

  const checkIntervalMs = Math.min(bodyPace.graceMs, readPace.graceMs, evictionGraceMs) / 2;
  let checkedAt = performance.now();
  const timer = setInterval(checkPeers, checkIntervalMs);
  timer.unref();

  function join(name: string): Group {
    let group = groups.get(name);
    if (group === undefined) groups.set(name, (group = { name, size: 0 }));
    group.size += 1;
    return group;
  }

  function leave(group: Group): void {
    group.size -= 1;
    if (group.size === 0) groups.delete(group.name);
  }

  function remove(connection: Connection): void {
    if (connections.delete(connection.socket)) leave(connection.group);
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
      if (meter.turn !== meter.kind) continue;
      const pace = meter.kind === 'sending' ? bodyPace : readPace;
      if (meter.waitedMs < pace.graceMs) continue;
      if (toPace(meter) < pace.bytesPerSec) cut(connection);
      else if (meter.kind === 'reading') restart(meter, 'reading');
    }
    if (refused + closed === 0 || now - reportedAt < REPORT_MS) return;
    reportedAt = now;
    options.report?.({ refused, closed });
    refused = 0;
    closed = 0;
  }

  /** The activity of a connection: the lowest is closed first; undefined: it cannot be evicted. */
  function toRank(
    { call, socket, meter, idleSince, hasServed }: Connection,
    now: number,
  ): number | undefined {
    const turn = findTurn(socket, call);
    if (turn === 'idle') {
      const idleMs = now - idleSince;
      return hasServed || idleMs >= evictionGraceMs ? -1 - idleMs : undefined;
    }
    return turn === meter.kind && meter.waitedMs >= evictionGraceMs ? toPace(meter) : undefined;
  }

  function rankAll(now: number): void {
    if (now - rankedAt < RANKING_MS) return;
    rankedAt = now;
    const ranked = [...connections.values()].flatMap((connection) => {
      const rank = toRank(connection, now);
      return rank === undefined ? [] : [{ connection, rank, isFast: rank >= FAST_BYTES_PER_SEC }];
    });
    ranked.sort(
      (a, b) =>
        Number(a.isFast) - Number(b.isFast) ||
        b.connection.group.size - a.connection.group.size ||
        a.rank - b.rank,
    );
    ranking = ranked.map(({ connection }) => connection);
  }

  /** Closes the best candidate for eviction in favour of `group`; false when there is none. */
  function evict(group: Group, isOwnOnly: boolean): boolean {
    const now = performance.now();
    rankAll(now);
    const index = ranking.findIndex((connection) => {
      if (!connections.has(connection.socket)) return false;
      if (isOwnOnly && connection.group !== group) return false;
      const rank = toRank(connection, now);
      if (rank === undefined) return false;
      if (connection.group === group) return rank < FAST_BYTES_PER_SEC;
      const { size } = connection.group;
      return size > group.size * 2 || (size >= group.size && rank < FAST_BYTES_PER_SEC);
    });
    const [evicted] = index === -1 ? [] : ranking.splice(index, 1);
    if (evicted === undefined) return false;
    closed += 1;
    cut(evicted);
    return true;
  }

  function open(socket: Socket): void {
    const group = join(isBehindProxy ? '' : toAddressGroup(socket.remoteAddress ?? ''));
    const connection: Connection = {
      socket,
      meter: createMeter(),
      group,
      call: undefined,
      waiting: [],
      waitingLength: 0,
      idleSince: performance.now(),
      hasServed: false,
    };
    connections.set(socket, connection);
    socket.once('close', () => remove(connection));
    const isOwnFull = !isBehindProxy && group.size > perAddress;
    if (isOwnFull ? evict(group, true) : connections.size <= maxConnections || evict(group, false)) return;
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
    restart(connection.meter);
    call.res.once('close', () => end(connection));
    if (isBehindProxy) {
      leave(connection.group);
      connection.group = join(toAddressGroup(findAddress(call.req)));
      if (connection.group.size > perAddress && !evict(connection.group, true)) {
        refused += 1;
        return options.refuse(call.res);
      }
    }
    serve(call.req, call.res);
  }

  function end(connection: Connection): void {
    const { socket } = connection;
    connection.call = undefined;
    connection.hasServed = true;
    connection.idleSince = performance.now();
    if (!connections.has(socket) || !socket.writable) return;
    if (isBehindProxy) {
      leave(connection.group);
      connection.group = join('');
    }
    const next = connection.waiting.shift();
    if (next === undefined) return;
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
