import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Pace {
  /** Milliseconds of waiting for the peer before its pace is checked. */
  readonly graceMs: number;
  /** The minimum average, from the start of the wait. */
  readonly bytesPerSec: number;
}

/** For request bodies. A weak mobile line is faster. */
export const BODY_PACE: Pace = { graceMs: 30_000, bytesPerSec: 10_000 };
/**
 * For responses, per minute. Six downloads that share a GPRS line of 3 KB/s are faster. A paused player reads nothing
 * and is closed; browsers continue with a range.
 */
export const READ_PACE: Pace = { graceMs: 60_000, bytesPerSec: 200 };
/** Node does not report how much of one write has been sent, only when all of it is. */
const PENDING_BYTES_MAX = 64 * 1024;

/**
 * What a connection waits for: the peer's next request, the peer sending a body, the peer reading the response, or the
 * server.
 */
export type Turn = 'idle' | 'sending' | 'reading' | 'server';

export interface Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** How fast the peer of one connection moves bytes while the server waits for it. */
export interface Meter {
  turn: Turn;
  /** Whether `waitedMs` and `bytes` refer to sending or to reading. */
  kind: Turn;
  waitedMs: number;
  bytes: number;
  /** All bytes of the connection at the last check. */
  moved: number;
}

export function createMeter(): Meter {
  return { turn: 'idle', kind: 'idle', waitedMs: 0, bytes: 0, moved: 0 };
}

/**
 * Which side a connection waits for. A body that the server does not read, not yet or no longer, waits for the server.
 */
export function findTurn(socket: Socket, call: Call | undefined): Turn {
  if (call === undefined) return 'idle';
  if (socket.writableLength > 0) return 'reading';
  const { req } = call;
  return req.complete || req.readableLength > 0 || req.isPaused() ? 'server' : 'sending';
}

/** Adds `passedMs` since the last check, if the server waited for the same thing both times. */
export function measure(meter: Meter, socket: Socket, call: Call | undefined, passedMs: number): void {
  const turn = findTurn(socket, call);
  const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength;
  const isPeersTurn = turn === 'sending' || turn === 'reading';
  if (isPeersTurn && turn !== meter.kind) restart(meter, turn);
  if (isPeersTurn && turn === meter.turn) {
    meter.waitedMs += passedMs;
    meter.bytes += moved - meter.moved;
  }
  meter.turn = turn;
  meter.moved = moved;
}

/** Resets the measurement, at the start of a request or a period. */
export function restart(meter: Meter, kind: Turn = 'idle'): void {
  meter.kind = kind;
  meter.waitedMs = 0;
  meter.bytes = 0;
}

/**
 * Whether the peer moves fewer bytes than `pace` requires. Starts a new period for a reader that is fast enough: it must
 * stay so. What waits to be sent counts as read, up to `PENDING_BYTES_MAX`.
 */
export function isTooSlow(meter: Meter, socket: Socket, { graceMs, bytesPerSec }: Pace): boolean {
  if (meter.turn !== meter.kind || meter.waitedMs < graceMs) return false;
  const neededBytes = (bytesPerSec * meter.waitedMs) / 1000;
  if (meter.kind === 'sending') return meter.bytes < neededBytes;
  if (meter.bytes + Math.min(socket.writableLength, PENDING_BYTES_MAX) < neededBytes) return true;
  if (meter.bytes >= neededBytes) restart(meter, 'reading');
  return false;
}
