import type { IncomingMessage } from 'node:http';

export interface Pace {
  /** How long a body may come as it likes. */
  readonly graceMs: number;
  /** What it has to reach on average from then on. */
  readonly bytesPerSec: number;
}

/** A weak mobile line sends more; who sends less holds a connection for nothing (P1). */
export const BODY_PACE: Pace = { graceMs: 30_000, bytesPerSec: 10_000 };

/**
 * Ends the connection of a request whose body crawls. A large file may take an hour on a slow line, so time
 * alone says nothing; a body that nobody reads any more is not its sender's fault.
 */
export function watchPace(req: IncomingMessage, { graceMs, bytesPerSec }: Pace = BODY_PACE): void {
  const { socket } = req;
  const length = Number(req.headers['content-length']);
  if (req.headers['transfer-encoding'] === undefined && !(length > 0)) return;
  const begun = performance.now();
  const bytesBefore = socket.bytesRead;
  const timer = setInterval(
    () => {
      const seconds = (performance.now() - begun) / 1000;
      if (req.complete || req.isPaused()) return;
      if (seconds * 1000 >= graceMs && (socket.bytesRead - bytesBefore) / seconds < bytesPerSec) {
        socket.destroy();
      }
    },
    Math.min(5_000, graceMs),
  );
  timer.unref();
  req.once('close', () => clearInterval(timer));
}
