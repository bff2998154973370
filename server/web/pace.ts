import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Pace {
  /** Milliseconds of waiting for the peer before its pace counts. */
  readonly graceMs: number;
  /** The least that it has to move on average, from the start of the wait. */
  readonly bytesPerSec: number;
}

/** Of a request's body. A weak mobile line sends more. */
export const BODY_PACE: Pace = { graceMs: 30_000, bytesPerSec: 10_000 };
/**
 * Of an answer, for each minute anew. Six downloads that share a GPRS line of 3 KB/s take more. A paused player
 * takes nothing and is cut; browsers continue with a range.
 */
export const READ_PACE: Pace = { graceMs: 60_000, bytesPerSec: 200 };

/**
 * What a connection waits for: the peer's next request, the peer sending a body, the peer taking the answer,
 * or the server.
 */
export type Turn = 'idle' | 'sending' | 'reading' | 'server';

export interface Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** How fast the peer of one connection moves bytes while the server waits for it. */
export interface Meter {
  turn: Turn;
  /** Whether `waitedMs` and `bytes` are of sending or of reading. */
  kind: Turn;
  waitedMs: number;
  bytes: number;
  /** All bytes of the connection at the last look. */
  moved: number;
}

export function createMeter(): Meter {
  return { turn: 'idle', kind: 'idle', waitedMs: 0, bytes: 0, moved: 0 };
}

/** Whose turn it is. A body that the server has not read yet, or no longer reads, is the server's turn. */
export function findTurn(socket: Socket, call: Call | undefined): Turn {
  if (call === undefined) return 'idle';
  if (socket.writableLength > 0) return 'reading';
  const { req } = call;
  return req.complete || req.readableLength > 0 || req.isPaused() ? 'server' : 'sending';
}

/** Counts `passedMs` since the last look, if the server waited for the same thing then and now. */
export function measure(meter: Meter, socket: Socket, call: Call | undefined, passedMs: number): void {
  const turn = findTurn(socket, call);
  const moved = socket.bytesRead + countTaken(socket);
  const isPeers = turn === 'sending' || turn === 'reading';
  if (isPeers && turn !== meter.kind) restart(meter, turn);
  if (isPeers && turn === meter.turn) {
    meter.waitedMs += passedMs;
    meter.bytes += moved - meter.moved;
  }
  meter.turn = turn;
  meter.moved = moved;
}

/** Forgets what was measured, at the beginning of a request or of a period. */
export function restart(meter: Meter, kind: Turn = 'idle'): void {
  meter.kind = kind;
  meter.waitedMs = 0;
  meter.bytes = 0;
}

/** Bytes a second; 0 before anything was measured. */
export function toPace({ waitedMs, bytes }: Meter): number {
  return waitedMs === 0 ? 0 : (bytes / waitedMs) * 1000;
}

/** Bytes of answers that the operating system has accepted for sending. */
function countTaken(socket: Socket): number {
  // Node's own socket timeout reads the same field; `writableLength` shows no progress within one large write.
  const { _handle: handle } = socket as {
    _handle?: { bytesWritten?: number; writeQueueSize?: number } | null;
  };
  const { bytesWritten = socket.bytesWritten, writeQueueSize = socket.writableLength } = handle ?? {};
  return bytesWritten - writeQueueSize;
}
