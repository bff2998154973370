import { pino } from 'pino';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';

export type Log = Logger;

export interface LogOutput {
  readonly log: Log;
  /** Appends one finished line (with its line end): the cheap way for frequent lines. */
  readonly writeLine: (line: string) => void;
  /** Returns once everything written so far has left the process. */
  readonly flush: () => void;
}

const BUFFER_BYTES = 12 * 1024;
/** Up to this size the write to a pipe is atomic on Linux (pipe(7)): lines of several processes do not mix. */
const PIPE_BYTES = 4096;
/** The maximum time that a line is buffered. */
const FLUSH_INTERVAL_MS = 500;

/**
 * JSON lines on standard output (or `path`), buffered so that a request does not wait for a write. `isShared`: other
 * processes write to it as well.
 */
export function openLog(level: LevelWithSilent, path?: string, isShared = false): LogOutput {
  const buffer = isShared ? { minLength: PIPE_BYTES / 2, maxWrite: PIPE_BYTES } : { minLength: BUFFER_BYTES };
  const destination = pino.destination({ dest: path ?? 1, sync: false, ...buffer });
  const timer = setInterval(() => destination.flush(), FLUSH_INTERVAL_MS);
  timer.unref();
  return {
    log: createLog(level, destination),
    writeLine: (line) => destination.write(line),
    flush() {
      try {
        destination.flushSync();
      } catch {
        // The destination is not open yet, or the reader has closed it: the log cannot be written.
      }
    },
  };
}

/** A log into any destination; tests read it from an array. */
export function createLog(level: LevelWithSilent, destination: DestinationStream): Log {
  return pino({ level, base: null }, destination);
}
